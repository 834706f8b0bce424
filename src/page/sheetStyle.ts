/**
 * Stands where the terminal would put a style element, which the page's security policy does not let it have: what is
 * written into it becomes a style sheet of the document for as long as it is there.
 */
class SheetStyle extends HTMLElement {
  readonly #sheet = new CSSStyleSheet()

  override get textContent(): string {
    return ""
  }
  override set textContent(css: string) {
    this.#sheet.replaceSync(css)
  }
  connectedCallback(): void {
    document.adoptedStyleSheets.push(this.#sheet)
  }
  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet)
  }
}

customElements.define("sheet-style", SheetStyle)
