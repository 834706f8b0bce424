/** Replaces the terminal's style element, which the page's policy forbids: its text becomes a style sheet. */
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
