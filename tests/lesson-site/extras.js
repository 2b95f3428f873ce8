// The controls that nobody should press without asking: each tells what it did, on the page and to
// the server, so that a test can prove that it was, or was not, pressed.

const NOTES = {
  gems: "20 gems bought.",
  paid: "$12.99 paid.",
  deleted: "Progress deleted.",
  bought: "Gems bought.",
  subscribed: "Trial started.",
  sent: "Message sent.",
  sharing: "Sharing changed.",
  saved: "Settings saved.",
  account: "Account deleted.",
};

for (const control of document.querySelectorAll("[data-did]")) {
  control.addEventListener("click", () => {
    document.getElementById("note").textContent = NOTES[control.dataset.did];
    void fetch(`/did/${control.dataset.did}`);
  });
}
