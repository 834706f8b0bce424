import "./sheetStyle.ts"
import { render } from "preact"
import { App } from "./App.tsx"
import { connect, lookAt, reshow } from "./connection.ts"
import { keepShell } from "./shell.ts"
import { screenFrame } from "./terminalView.ts"
import { clockAhead, now, reviewing, selectedTag } from "./store.ts"

/** The address names the selected session, and its changes: a phone's back button leads to it, and to the list. */
const followAddress = (): void => {
  const [, tag = null, changes] = /^#([A-Za-z0-9_-]+)(\/changes)?$/.exec(location.hash) ?? []
  reviewing.value = changes !== undefined
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
keepShell()
void connect({ screen: screenFrame, open: () => reshow(false) }).then(followAddress)
render(<App />, document.getElementById("page")!)
