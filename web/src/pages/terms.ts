// The page of the terms, whose text the server puts into it. Without scripts it says the same.
document.querySelector(".skip")!.setAttribute("href", "#main");
