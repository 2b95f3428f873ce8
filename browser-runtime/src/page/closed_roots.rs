//! Closed shadow roots, found below the DOM and handed to our world (requirement RUN-13).
//!
//! No property tells a closed root. The browser's flat snapshot names the nodes inside one, and for
//! one element its description does; either gives nodes that resolve into the isolated world, where
//! the node leads to its root.

use super::{PageError, World};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Closed roots that are handed over at once; pages of web components have some hundreds.
const ROOTS_MAX: usize = 512;
/// Elements up to which the whole page is searched. The snapshot of such a page is about 3 MB.
const SEARCHED_NODES_MAX: u64 = 20_000;
/// Levels described below one element. Each adds up to four levels of JSON, and the reader of the
/// link stops at 128.
const DESCRIBED_LEVELS_MAX: u64 = 24;
/// The kind of a shadow root that a page cannot look into.
const CLOSED: &str = "closed";

#[derive(Deserialize)]
struct Below {
    deepest: u64,
    nodes: u64,
}

/// Hands every closed root of the page to our world. `false` when some may be left out.
pub(super) async fn adopt_all(world: &World) -> Result<bool, PageError> {
    let size: Size = world.call("size", json!({})).await?;
    if size.elements > SEARCHED_NODES_MAX {
        return Ok(false);
    }
    let wanted = json!({ "computedStyles": [], "includePaintOrder": false, "includeDOMRects": false });
    let snapshot = world.link.call(Some(&world.session), "DOMSnapshot.captureSnapshot", wanted).await?;
    let nodes = inside_closed_roots(&snapshot);
    let complete = nodes.len() <= ROOTS_MAX;
    adopt(world, nodes.into_iter().take(ROOTS_MAX)).await?;
    Ok(complete)
}

#[derive(Deserialize)]
struct Size {
    elements: u64,
}

/// One backend node id for each parent of nodes inside closed roots of the main document. Every root
/// has such a parent: its host.
fn inside_closed_roots(snapshot: &Value) -> Vec<i64> {
    let strings = snapshot.get("strings").and_then(Value::as_array);
    let nodes = snapshot.pointer("/documents/0/nodes");
    let list = |path: &str| nodes.and_then(|nodes| nodes.pointer(path)).and_then(Value::as_array);
    let (Some(strings), Some(parents), Some(backend), Some(index), Some(kinds)) =
        (strings, list("/parentIndex"), list("/backendNodeId"), list("/shadowRootType/index"), list("/shadowRootType/value"))
    else {
        return Vec::new();
    };
    let at =
        |list: &[Value], position: &Value| position.as_u64().and_then(|at| usize::try_from(at).ok()).and_then(|at| list.get(at).cloned());
    let mut parents_seen = HashSet::new();
    let closed = index.iter().zip(kinds).filter(|(_, kind)| at(strings, kind).is_some_and(|kind| kind == CLOSED));
    closed
        .filter(|(node, _)| parents_seen.insert(at(parents, node).and_then(|parent| parent.as_i64())))
        .filter_map(|(node, _)| at(backend, node).and_then(|id| id.as_i64()))
        .collect()
}

/// Hands the closed roots below one element to our world, as they are now. `false` when the element
/// is too large to be sure.
pub(super) async fn adopt_below(world: &World, revision: &str, reference: &str) -> Result<bool, PageError> {
    let which = json!({ "revision": revision, "ref": reference });
    // A reference that means nothing any more is told by the read that follows.
    let Ok(below) = world.call::<Below>("depthBelow", &which).await else { return Ok(true) };
    if below.deepest >= DESCRIBED_LEVELS_MAX || below.nodes >= SEARCHED_NODES_MAX {
        return adopt_all(world).await;
    }
    let params = json!({
        "functionDeclaration": "function (which) { return hallpass.element(which); }",
        "executionContextId": world.context, "arguments": [{ "value": which }], "objectGroup": "hallpass-element",
    });
    let element = world.function(params).await?;
    let Some(object) = element.get("objectId").and_then(Value::as_str) else { return Ok(true) };
    let wanted = json!({ "objectId": object, "depth": DESCRIBED_LEVELS_MAX, "pierce": true });
    let described = world.link.call(Some(&world.session), "DOM.describeNode", wanted).await.map_err(super::gone)?;
    let mut roots = Vec::new();
    collect(described.get("node"), &mut roots);
    let complete = roots.len() <= ROOTS_MAX;
    adopt(world, roots.into_iter().take(ROOTS_MAX)).await?;
    drop(world.link.cast(Some(&world.session), "Runtime.releaseObjectGroup", &json!({ "objectGroup": "hallpass-element" })));
    Ok(complete)
}

/// Walks a description with a list instead of recursion, since a page chooses its depth.
fn collect(node: Option<&Value>, roots: &mut Vec<i64>) {
    let mut waiting: Vec<&Value> = node.into_iter().collect();
    while let Some(node) = waiting.pop() {
        for root in node.get("shadowRoots").and_then(Value::as_array).into_iter().flatten() {
            if root.get("shadowRootType").and_then(Value::as_str) == Some(CLOSED) {
                roots.extend(root.get("backendNodeId").and_then(Value::as_i64));
            }
            waiting.push(root);
        }
        waiting.extend(node.get("children").and_then(Value::as_array).into_iter().flatten());
    }
}

async fn adopt(world: &World, nodes: impl Iterator<Item = i64>) -> Result<(), PageError> {
    for node in nodes {
        let wanted = json!({ "backendNodeId": node, "executionContextId": world.context, "objectGroup": "hallpass-roots" });
        // A node that went away in the meantime is no part of the page that is read next.
        let Ok(resolved) = world.link.call(Some(&world.session), "DOM.resolveNode", wanted).await else { continue };
        let Some(object) = resolved.pointer("/object/objectId").and_then(Value::as_str) else { continue };
        let params = json!({ "functionDeclaration": "function () { hallpass.adopt(this); }", "objectId": object, "returnByValue": true });
        world.function(params).await?;
    }
    drop(world.link.cast(Some(&world.session), "Runtime.releaseObjectGroup", &json!({ "objectGroup": "hallpass-roots" })));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{collect, inside_closed_roots};
    use serde_json::json;

    /// RUN-13: one node for each host, of closed roots only.
    #[test]
    fn snapshot_nodes_of_closed_roots_are_found_once_a_host() {
        let snapshot = json!({ "strings": ["closed", "user-agent"], "documents": [{ "nodes": {
            "parentIndex": [-1, 0, 1, 1, 2, 1], "backendNodeId": [10, 11, 12, 13, 14, 15],
            "shadowRootType": { "index": [2, 3, 4, 5], "value": [0, 0, 0, 1] } } }] });
        assert_eq!(inside_closed_roots(&snapshot), vec![12, 14]);
        assert_eq!(inside_closed_roots(&json!({})), Vec::<i64>::new());
    }

    /// RUN-13: roots below roots are found too; open ones are only walked through.
    #[test]
    fn described_roots_are_found_at_every_level() {
        let node = json!({ "shadowRoots": [{ "shadowRootType": "open", "backendNodeId": 1, "children": [
            { "shadowRoots": [{ "shadowRootType": "closed", "backendNodeId": 2 }] }] }], "children": [] });
        let mut roots = Vec::new();
        collect(Some(&node), &mut roots);
        assert_eq!(roots, vec![2]);
    }
}
