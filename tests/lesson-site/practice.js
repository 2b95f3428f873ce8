// Endless cards: the same covered press works as often as one likes.

const CARDS = ["el gato · the cat", "el perro · the dog", "la casa · the house", "el libro · the book", "el pan · the bread", "azul · blue"];

const card = document.getElementById("card");
const count = document.getElementById("count");
let seen = 0;

function show() {
  card.textContent = CARDS[seen % CARDS.length];
  count.textContent = `Card ${seen + 1}`;
}

document.getElementById("next").addEventListener("click", () => {
  seen += 1;
  show();
});
show();
