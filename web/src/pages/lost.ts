// The page for who follows a link to nowhere. Without scripts it says the same,
// but for the address.
document.getElementById("address")!.textContent = location.pathname;
