// What the two units ask. Data only; how each kind of step behaves is in kinds.js.

const WORDS = [
  { kind: "tiles", ask: "Which one is “the cat”?", options: ["el perro", "el gato", "la casa", "el libro"], answer: "el gato" },
  { kind: "tiles", ask: "Which one is “the bread”?", options: ["el pan", "la leche", "el agua", "la sal"], answer: "el pan" },
  { kind: "choose", ask: "The sky is …", field: "Colour", options: ["rojo", "verde", "azul", "blanco"], answer: "azul" },
  { kind: "tick", ask: "Which words are fruit?", options: ["la manzana", "la silla", "la pera", "la mesa"], answers: ["la manzana", "la pera"] },
  { kind: "write", ask: "Translate “the dog”", field: "Your answer", answer: "el perro" },
  { kind: "pairs", ask: "Match the words", pairs: [["la casa", "the house"], ["el libro", "the book"], ["la luna", "the moon"]] },
  { kind: "cards", ask: "Turn the cards", field: "Word card", words: ["uno · one", "dos · two", "tres · three", "cuatro · four"] },
];

const STORY = [
  { kind: "passage", ask: "Read the story", lines: [
    "Ana vive en un pueblo pequeño cerca del mar. Tiene un gato gris que se llama Nube.",
    "Por la mañana, Ana abre la ventana y mira el mar. El gato duerme en una silla azul.",
    "Luego Ana come pan con queso y lee un libro. El libro habla de un perro y de la luna.",
    "Por la tarde, Ana y Nube van al jardín. Hay muchas flores rojas y un árbol muy alto.",
    "El gato ve un pájaro y corre. El pájaro vuela y canta desde el árbol.",
    "Por la noche, la luna es grande y blanca. Ana cierra el libro y el gato duerme otra vez.",
  ] },
  { kind: "pick", ask: "When does Ana open the window?", options: ["por la mañana", "por la tarde", "por la noche"], answer: "por la mañana" },
  { kind: "order", ask: "Put the words in order: “Ana reads a book”", words: ["libro", "Ana", "un", "lee"], answer: ["Ana", "lee", "un", "libro"] },
  { kind: "compose", ask: "Write the sentence in Spanish: “The cat sleeps on a chair.”", field: "Translation", answer: "El gato duerme en una silla." },
  { kind: "wordlist", ask: "Read the word list to its end", field: "Word list", words: ["el mar · sea", "el árbol · tree", "la flor · flower", "el queso · cheese", "la silla · chair", "el jardín · garden"] },
  { kind: "find", ask: "Find the word for “bird”", field: "Find a word", answer: "pájaro" },
  { kind: "hints", ask: "Go on without hints", field: "Show hints" },
];

export const UNITS = {
  1: { steps: WORDS, next: "/lesson/unit/2", label: "Next unit" },
  2: { steps: STORY, next: "/lesson/done", label: "See the result" },
};
