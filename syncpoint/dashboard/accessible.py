"""Keyboard and screen-reader support that Panel's pages and tables lack, added in the browser."""

# CSS class of a table whose rows can be chosen.
CHOOSES = "chooses"
# CSS class of the button that Alt+N presses.
NEXT = "next"

# Tabulator creates its rows in the browser, so the server cannot send these attributes. Parts of the page are in shadow
# roots that views create and remove: each one is observed once it is found.
SCRIPT = """
const set = (element, name, value) => {
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value)
}
const shown = row => [...row.querySelectorAll(".tabulator-cell")].find(cell => cell.style.display !== "none")
const press = event => {
    if ((event.key === "Enter" || event.key === " ") && event.target.matches(".tabulator-col, .tabulator-row")) {
        event.preventDefault();
        (event.target.matches(".tabulator-row") ? shown(event.target) : event.target).click()
    }
}
const look = root => {
    if (!root.syncpoint) observer.observe(root, {childList: true, subtree: true})
    root.syncpoint = true
    for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) look(element.shadowRoot)
    }
    set(root.querySelector("#theme-switch"), "aria-label", "Light theme")
    for (const grid of root.querySelectorAll(".tabulator")) {
        if (!grid.syncpoint) grid.addEventListener("keydown", press)
        grid.syncpoint = true
        grid.removeAttribute("aria-owns")
        set(grid.querySelector(".tabulator-tableholder"), "role", "rowgroup")
        set(grid.querySelector(".tabulator-table"), "role", "none")
        set(grid.querySelector(".tabulator-footer"), "role", "rowgroup")
        set(grid.querySelector(".tabulator-footer-contents"), "role", "row")
        set(grid.querySelector(".tabulator-paginator"), "role", "gridcell")
        for (const column of grid.querySelectorAll(".tabulator-col.tabulator-sortable")) set(column, "tabindex", "0")
        // A cell that cannot be edited gives up the focus, so a row that can be chosen takes the focus itself.
        for (const cell of grid.querySelectorAll(".tabulator-cell")) set(cell, "tabindex", "-1")
        if (!root.host?.classList.contains("CHOOSES")) continue
        for (const row of grid.querySelectorAll(".tabulator-row")) set(row, "tabindex", "0")
    }
}
const next = root => {
    for (const element of root.querySelectorAll("*")) {
        if (!element.shadowRoot) continue
        const inner = element.shadowRoot
        const found = element.classList.contains("NEXT") ? inner.querySelector("button") : next(inner)
        if (found?.offsetParent) return found
    }
}
document.addEventListener("keydown", event => {
    const button = event.altKey && event.code === "KeyN" && next(document)
    if (button) {
        event.preventDefault()
        button.click()
    }
})
const observer = new MutationObserver(changes => new Set(changes.map(one => one.target.getRootNode())).forEach(look))
look(document)
""".replace("CHOOSES", CHOOSES).replace("NEXT", NEXT)
