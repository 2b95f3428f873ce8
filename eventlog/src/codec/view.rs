//! The stored shape of what a card shows.

use super::{DecodeError, wire};
use domain::view::ApprovalView;

impl From<&ApprovalView> for wire::ApprovalView {
    fn from(view: &ApprovalView) -> Self {
        Self {
            action_summary: view.action_summary.clone(),
            action: view.action.clone(),
            role: view.role.clone(),
            name: view.name.clone(),
            visible_text: view.visible_text.clone(),
            dialog_name: view.dialog_name.clone(),
            origin: view.origin.clone(),
            path: view.path.clone(),
            title: view.title.clone(),
            key: view.key.clone(),
            scroll: view.scroll.map(|(dx, dy)| wire::ScrollDistance { dx, dy }),
            options: view.options.clone(),
            checked: view.checked,
            typed_text: view.typed_text.clone(),
            typed_text_cut: view.typed_text_cut,
            typed_text_digest: view.typed_text_digest.clone(),
            described: view.described,
        }
    }
}

pub(super) fn view(view: Option<wire::ApprovalView>) -> Result<ApprovalView, DecodeError> {
    let view = view.ok_or(DecodeError::Field { field: "view" })?;
    Ok(ApprovalView {
        action_summary: view.action_summary,
        action: view.action,
        role: view.role,
        name: view.name,
        visible_text: view.visible_text,
        dialog_name: view.dialog_name,
        origin: view.origin,
        path: view.path,
        title: view.title,
        key: view.key,
        scroll: view.scroll.map(|distance| (distance.dx, distance.dy)),
        options: view.options,
        checked: view.checked,
        typed_text: view.typed_text,
        typed_text_cut: view.typed_text_cut,
        typed_text_digest: view.typed_text_digest,
        described: view.described,
    })
}
