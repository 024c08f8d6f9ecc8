// The page for an address that does not exist. Without scripts it says the same,
// but for the address.
const content = `${location.pathname}${location.search}#main`;
document.querySelector(".skip")!.setAttribute("href", content); // with a base, "#main" alone would leave the page
document.getElementById("address")!.textContent = location.pathname;
