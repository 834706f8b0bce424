import { Layer } from "effect"
import * as PtyNode from "../../src/layers/terminal/PtyNode.ts"
import * as ProcessTableNode from "../../src/layers/system/ProcessTableNode.ts"
import * as SystemNode from "../../src/layers/system/SystemNode.ts"

const beneath = Layer.merge(ProcessTableNode.layer, SystemNode.layerWith({ version: "0.0.0", self: [] }))

/** Real pseudo-terminals, over the real system. */
export const layer = PtyNode.layer.pipe(Layer.provide(beneath))

/** The same with another addon. */
export const layerWith = (...options: Parameters<typeof PtyNode.layerWith>) =>
  PtyNode.layerWith(...options).pipe(Layer.provide(beneath))
