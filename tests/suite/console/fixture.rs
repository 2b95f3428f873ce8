//! A control plane without a browser runtime, whose log the tests fill by the same commands that
//! the worker uses.

use api::app::App;
use api::commands::approvals::RevokeGrant;
use api::commands::calls::{Authorize, Authorized, CoverScope, JudgedAct, RequestCall};
use api::commands::profiles::CreateProfile;
use api::commands::runs::StartRun;
use api::commands::sessions::{OpenSession, ReceiveMessage};
use api::serve::Server;
use api::settings::Settings;
use domain::browser::{Action, ElementFacts, Labels};
use domain::classify::Consequence;
use domain::coverage::Reason;
use domain::decide::approval::ApprovalStatus;
use domain::decide::run::RunKind;
use domain::decide::session::Surface;
use domain::event::{Actor, Recorded};
use domain::id::{ApprovalId, CommandId, PrincipalId, RunId, SessionId, TaskGrantId, TenantId, ToolCallId};
use domain::scope::SiteScope;
use domain::view::{ApprovalView, Page};
use eventlog::Work;
use reqwest::header::{CONTENT_TYPE, COOKIE, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::{Client, Response, StatusCode, Url};
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;

/// The configured scope.
pub(super) const ORIGIN_OF_SITE: &str = "https://www.example.com";
/// A page inside it.
pub(super) const PAGE: &str = "https://www.example.com/lesson/3";

/// A running control plane.
pub(super) struct Console {
    server: Server,
    http: Client,
    pub(super) tenant: TenantId,
    pub(super) owner: PrincipalId,
    _folder: TempDir,
}

/// A chat in which a task permission can be used.
#[derive(Clone, Copy)]
pub(super) struct Chat {
    pub(super) session: SessionId,
    pub(super) run: RunId,
}

/// A browser that is signed in, as its cookie.
#[derive(Clone)]
pub(super) struct Cookie(pub(super) String);

/// The coverage rules' answer, whatever the scope.
#[derive(Debug)]
struct Judged(Vec<Reason>);

impl CoverScope for Judged {
    fn reasons(&self, _: &SiteScope) -> Vec<Reason> {
        self.0.clone()
    }
}

impl Console {
    pub(super) async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let database = format!("sqlite://{}/console.db", folder.path().display());
        let values = [
            ("HALLPASS_DATABASE_URL", database.as_str()),
            ("HALLPASS_LISTEN", "127.0.0.1:0"),
            // Nothing listens there: the console needs no browser.
            ("HALLPASS_RUNTIME_URL", "http://127.0.0.1:9/"),
            ("HALLPASS_RUNTIME_TOKEN", "unused"),
            ("BROWSER_TASK_GRANTS_ENABLED", "1"),
            ("BROWSER_TASK_GRANT_SCOPES", "https://www.example.com/lesson"),
        ];
        let values: BTreeMap<String, String> = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let server = Server::start(&Settings::from_values(&values).unwrap()).await.unwrap();
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { server, http, tenant: "t1".parse().unwrap(), owner: "o1".parse().unwrap(), _folder: folder }
    }

    pub(super) async fn stop(self) {
        self.server.stop().await;
    }

    pub(super) fn app(&self) -> &App {
        &self.server.app
    }

    /// The origin of the console's own pages.
    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.server.address)
    }

    /// The address of a fresh sign-in link of a principal.
    pub(super) fn link(&self, principal: &str) -> String {
        let secret = self.app().console.issue_link(self.tenant.clone(), principal.parse().unwrap());
        format!("/console/sign-in/{secret}")
    }

    pub(super) async fn sign_in(&self) -> Cookie {
        self.sign_in_as("o1").await
    }

    pub(super) async fn sign_in_as(&self, principal: &str) -> Cookie {
        let response = self.send(Request::post(&self.link(principal)).from(&self.origin())).await;
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        let cookie = response.headers()[SET_COOKIE].to_str().unwrap();
        Cookie(cookie.split(';').next().unwrap().to_owned())
    }

    pub(super) async fn send(&self, request: Request<'_>) -> Response {
        let url = format!("{}{}", self.origin(), request.path);
        let mut sent = if request.post { self.http.post(url) } else { self.http.get(url) };
        if let Some(Cookie(cookie)) = request.cookie {
            sent = sent.header(COOKIE, cookie);
        }
        if let Some(origin) = request.origin {
            sent = sent.header(ORIGIN, origin);
        }
        for (name, value) in request.headers {
            sent = sent.header(name, value);
        }
        if request.post {
            sent = sent.header(CONTENT_TYPE, request.content_type).body(encoded(&request.fields));
        }
        sent.send().await.unwrap()
    }

    pub(super) async fn get(&self, path: &str, cookie: &Cookie) -> (StatusCode, String) {
        let response = self.send(Request::get(path).with(cookie)).await;
        (response.status(), response.text().await.unwrap())
    }

    /// The overview's token for forms.
    pub(super) async fn form_token(&self, cookie: &Cookie) -> String {
        let (_, page) = self.get("/console", cookie).await;
        let (_, rest) = page.split_once("name=\"form_token\" value=\"").expect("a form");
        rest.split('"').next().unwrap().to_owned()
    }

    /// Sends a form as our own page does.
    pub(super) async fn answer(&self, cookie: &Cookie, path: &str, fields: &[(&'static str, &str)]) -> Response {
        let token = self.form_token(cookie).await;
        let mut request = Request::post(path).with(cookie).from(&self.origin()).field("form_token", &token);
        for (name, value) in fields {
            request = request.field(name, value);
        }
        self.send(request).await
    }

    pub(super) async fn perform<W: Work>(&self, actor: &Actor, command: CommandId, work: &W) -> W::Output {
        self.app().log.perform(&self.tenant, actor, command, work).await.unwrap().output().expect("the command is new")
    }

    pub(super) async fn chat(&self) -> Chat {
        let owner = Actor::Owner(self.owner.clone());
        let profile = CreateProfile { command: fresh_command(), principal: self.owner.clone(), name: "Profile".to_owned() };
        self.perform(&owner, profile.command, &profile).await;
        let open = OpenSession {
            command: fresh_command(),
            principal: self.owner.clone(),
            surface: Surface::Chat,
            profile: Some(profile.profile()),
            schedule: None,
            allowed_origins: vec![ORIGIN_OF_SITE.to_owned()],
        };
        self.perform(&owner, open.command, &open).await;
        let session = open.session();
        let message = ReceiveMessage { principal: self.owner.clone(), session, text: "Do the lesson".to_owned() };
        self.perform(&owner, fresh_command(), &message).await;
        let start = StartRun { command: fresh_command(), principal: self.owner.clone(), session, kind: RunKind::Interactive, parent: None };
        self.perform(&owner, start.command, &start).await;
        Chat { session, run: start.run_id() }
    }

    /// An agent's act, judged as the worker judges it; `reasons` are what the coverage rules say.
    pub(super) async fn act(&self, chat: Chat, act: &Act, reasons: &[Reason]) -> Authorized {
        let agent = Actor::Agent(self.owner.clone());
        let tool_call = ToolCallId::from_uuid(Uuid::now_v7());
        let request =
            RequestCall { principal: self.owner.clone(), run: chat.run, tool_call, tool: "browser.act".to_owned(), action: Some("click") };
        self.perform(&agent, fresh_command(), &request).await;
        let page = Page { url: PAGE, title: &act.title };
        let authorize = Authorize {
            act: JudgedAct {
                principal: self.owner.clone(),
                run: chat.run,
                session: chat.session,
                tool_call,
                page_url: PAGE.to_owned(),
                view: ApprovalView::describe(&act.action, Some(page), Some(&act.element)),
                digest: vec![7; 32],
                consequence: Consequence::Unknown,
                typed_characters: act.action.typed_characters(),
                in_browser_turn: true,
            },
            approval: ApprovalId::from_uuid(Uuid::now_v7()),
            grants: self.app().grants.clone(),
            coverage: Arc::new(Judged(reasons.to_vec())),
        };
        self.perform(&Actor::System, fresh_command(), &authorize).await
    }

    /// An act that asks.
    pub(super) async fn ask(&self, chat: Chat, act: &Act, reasons: &[Reason]) -> ApprovalId {
        match self.act(chat, act, reasons).await {
            Authorized::Asked(approval) => approval,
            Authorized::ByGrant(_) => panic!("a grant covered the act"),
        }
    }

    pub(super) async fn status(&self, approval: ApprovalId) -> ApprovalStatus {
        let mut reader = self.app().log.reader().await.unwrap();
        let row = projections::approvals::find(&mut reader.connection(), &self.tenant, &self.owner, approval).await.unwrap();
        row.expect("the approval").status
    }

    pub(super) async fn grants(&self) -> Vec<projections::GrantRow> {
        let mut reader = self.app().log.reader().await.unwrap();
        let page = projections::Page { before: u64::MAX, limit: 50 };
        projections::grants::list(&mut reader.connection(), &self.tenant, &self.owner, page).await.unwrap()
    }

    pub(super) async fn revoke(&self, grant: TaskGrantId) {
        let work = RevokeGrant { principal: self.owner.clone(), grant };
        self.perform(&Actor::Owner(self.owner.clone()), fresh_command(), &work).await;
    }

    /// Events of a type.
    pub(super) async fn events(&self, type_name: &str) -> Vec<Recorded> {
        let events = self.app().log.read(&self.tenant, 0, 1_000).await.unwrap();
        events.into_iter().filter(|event| event.event.type_name() == type_name).collect()
    }
}

fn fresh_command() -> CommandId {
    CommandId::from_uuid(Uuid::now_v7())
}

/// What an agent wants to do, and what the website calls it.
pub(super) struct Act {
    pub(super) action: Action,
    pub(super) element: ElementFacts,
    pub(super) title: String,
}

impl Act {
    pub(super) fn click(name: &str) -> Self {
        let labels = Labels { visible_text: vec![name.to_owned()], ..Labels::default() };
        let element = ElementFacts { role: "button".to_owned(), name: name.to_owned(), labels, ..ElementFacts::default() };
        Self { action: Action::Click {}, element, title: "Lesson 3".to_owned() }
    }
}

/// One request, built up.
pub(super) struct Request<'a> {
    path: &'a str,
    post: bool,
    cookie: Option<&'a Cookie>,
    origin: Option<String>,
    content_type: &'a str,
    headers: Vec<(&'a str, &'a str)>,
    fields: Vec<(&'a str, String)>,
}

impl<'a> Request<'a> {
    pub(super) fn get(path: &'a str) -> Self {
        Self {
            path,
            post: false,
            cookie: None,
            origin: None,
            content_type: "application/x-www-form-urlencoded",
            headers: Vec::new(),
            fields: Vec::new(),
        }
    }

    pub(super) fn post(path: &'a str) -> Self {
        Self { post: true, ..Self::get(path) }
    }

    pub(super) fn with(mut self, cookie: &'a Cookie) -> Self {
        self.cookie = Some(cookie);
        self
    }

    pub(super) fn from(mut self, origin: &str) -> Self {
        self.origin = Some(origin.to_owned());
        self
    }

    pub(super) fn content_type(mut self, content_type: &'a str) -> Self {
        self.content_type = content_type;
        self
    }

    pub(super) fn header(mut self, name: &'a str, value: &'a str) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(super) fn field(mut self, name: &'a str, value: &str) -> Self {
        self.fields.push((name, value.to_owned()));
        self
    }
}

fn encoded(fields: &[(&str, String)]) -> String {
    let mut url = Url::parse("http://form.invalid/").unwrap();
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}

/// Where an answer leads.
pub(super) fn location(response: &Response) -> &str {
    response.headers()[LOCATION].to_str().unwrap()
}
