//! The site as a browser meets it, through TLS.

use super::files::{Answer, answer};
use super::{LessonSite, LessonSiteError};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// One request on a connection of its own, by a client that trusts the site's certificate alone.
async fn ask(site: &LessonSite, method: &str, path: &str) -> String {
    let mut roots = RootCertStore::empty();
    roots.add(site.certificate().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let address = site.origin().replace("https://", "");
    let tcp = TcpStream::connect(&address).await.unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("127.0.0.1").unwrap(), tcp).await.unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // The server closes without a TLS goodbye; what came until then is the answer.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

/// SCP-6: the site is served over HTTPS on loopback, with headers that keep its pages closed.
#[tokio::test]
async fn a_page_comes_whole_and_closed() {
    let site = LessonSite::start(0).await.unwrap();
    assert!(site.origin().starts_with("https://127.0.0.1:"));
    let page = ask(&site, "GET", "/lesson?from=test").await;
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    for header in [
        "content-type: text/html; charset=utf-8\r\n",
        "x-content-type-options: nosniff\r\n",
        "content-security-policy: default-src 'none';",
    ] {
        assert!(page.contains(header), "{header} is missing in {page}");
    }
    assert!(page.contains("Start lesson") && !page.contains("unsafe-inline"));
    let head = ask(&site, "HEAD", "/lesson").await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    let script = ask(&site, "GET", "/lesson/assets/lesson.js").await;
    assert!(script.contains("content-type: text/javascript; charset=utf-8\r\n"), "{script}");
    assert_eq!(site.requests(), ["GET /lesson", "HEAD /lesson", "GET /lesson/assets/lesson.js"]);
    site.stop().await;
}

#[tokio::test]
async fn what_is_not_there_and_what_is_not_reading_is_refused() {
    let site = LessonSite::start(0).await.unwrap();
    for path in [
        "/lessons",
        "/lesson/unit/3",
        "/lesson/assets/../start.html",
        "/lesson/assets/..%2fstart.html",
        "/%6cesson",
        "//lesson",
        "/did/other",
    ] {
        assert!(ask(&site, "GET", path).await.starts_with("HTTP/1.1 404 "), "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert!(ask(&site, method, "/login").await.starts_with("HTTP/1.1 405 "), "{method}");
    }
    assert!(ask(&site, "GET", "/").await.contains("location: /lesson\r\n"));
    assert!(ask(&site, "GET", "/did/gems").await.starts_with("HTTP/1.1 204 "));
    site.stop().await;
}

#[tokio::test]
async fn a_taken_port_is_told_and_a_stopped_site_frees_its_own() {
    let site = LessonSite::start(0).await.unwrap();
    let address = site.origin().replace("https://", "");
    let port = address.rsplit(':').next().unwrap().parse().unwrap();
    let refused = LessonSite::start(port).await.unwrap_err();
    assert!(matches!(refused, LessonSiteError::Listen { .. }) && refused.to_string().contains(&address), "{refused}");
    site.stop().await;
    let again = LessonSite::start(port).await.unwrap();
    again.stop().await;
}

/// Every file that a page names is served, and no page carries script or style of its own, which the
/// site's policy would stop.
#[test]
fn pages_name_only_what_is_served() {
    let pages = ["/lesson", "/lesson/unit/1", "/lesson/done", "/lesson/practice", "/shop", "/messages", "/settings", "/account", "/login"];
    for page in pages {
        let Answer::File { bytes, .. } = answer(page) else { panic!("{page} is not served") };
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(!text.contains("<style") && !text.contains("style=") && !text.contains(" onclick"), "{page} has something inline");
        for part in text.split(['"']).filter(|part| part.starts_with('/')) {
            assert_ne!(answer(part), Answer::Unknown, "{page} names {part}");
        }
    }
}
