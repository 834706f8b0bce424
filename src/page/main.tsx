import "./sheetStyle.ts"
import { render } from "preact"
import { App } from "./App.tsx"
import { connect, lookAt, reshow } from "./connection.ts"
import { screenFrame } from "./terminalView.ts"
import { clockAhead, now, selectedTag } from "./store.ts"

/** The address names the selected session: a phone's back button leads to the list. */
const followAddress = (): void => {
  const tag = /^#([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1] ?? null
  if (tag !== selectedTag.value) {
    selectedTag.value = tag
    reshow(false)
  }
}

setInterval(() => {
  now.value = Date.now() + clockAhead.value
}, 1000)
for (const doing of ["pointerdown", "pointermove", "keydown"]) addEventListener(doing, lookAt, { passive: true })
addEventListener("hashchange", followAddress)
void connect({ screen: screenFrame, open: () => reshow(false) }).then(followAddress)
render(<App />, document.getElementById("page")!)
