//! Reads `tests/data/rights/matrix.txt`, and calls a row's route.

use hallpass_tests::deployment::{Client, Replied, send};
use reqwest::Method;
use serde_json::{Value, json};

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) method: Method,
    pub(super) route: String,
    pub(super) scopes: Vec<String>,
    pub(super) agent: String,
    pub(super) stranger: String,
}

/// Every row.
pub(super) fn rows() -> Vec<Row> {
    let table = include_str!("../../data/rights/matrix.txt");
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &str| {
        let [method, route, scopes, agent, stranger] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("five columns: {line}")
        };
        assert!(["allow", "refuse"].contains(&agent) && ["hide", "empty", "tenant", "-"].contains(&stranger), "{line}");
        Row {
            method: method.parse().unwrap(),
            route: route.to_owned(),
            scopes: scopes.split(',').map(str::to_owned).collect(),
            agent: agent.to_owned(),
            stranger: stranger.to_owned(),
        }
    };
    lines.map(row).collect()
}

impl Row {
    /// Calls the route with ids in the place of its parameters, and a body that it takes.
    pub(super) async fn call(&self, client: &Client, id: &str, sign_in: &str) -> Replied {
        let path = self.route.replace("{id}", id).replace("{sign_in}", sign_in);
        let mut request = client.request(self.method.clone(), &path);
        if let Some(body) = self.body(client) {
            request = request.json(&body);
        }
        send(request).await
    }

    fn body(&self, client: &Client) -> Option<Value> {
        if self.method != Method::POST {
            return None;
        }
        // The author is the holder of the token, which its prefix tells.
        let author = if client.token().starts_with("hallpass_agent_") { "agent" } else { "owner" };
        match self.route.as_str() {
            "/v1/sessions" => Some(json!({"surface": "chat"})),
            "/v1/sessions/{id}/messages" => Some(json!({"author": author, "text": "hello"})),
            "/v1/sessions/{id}/runs" => Some(json!({"kind": "interactive"})),
            "/v1/runs/{id}/tool-calls" => Some(json!({"tool": "browser.observe"})),
            "/v1/approvals/{id}/resolve" => Some(json!({"resolution": "deny"})),
            "/v1/browser-profiles" => Some(json!({"name": "Main"})),
            "/v1/browser-profiles/{id}/sign-ins" => Some(json!({"kind": "remote"})),
            _ => None,
        }
    }

    /// The row as a message names it.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.route)
    }
}
