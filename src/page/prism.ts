import "./prismAlone.ts"
import Prism from "prismjs/components/prism-core.js"

/** Prism where its languages look for it: each adds itself when it is loaded, behind this. */
Object.assign(globalThis, { Prism })

export default Prism
