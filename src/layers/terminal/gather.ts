/** The most bytes that are joined: the size of one frame to a viewer. */
export const gatherLimit = (64 << 10) - 16
const turnLimit = 32

/**
 * Joins the pieces of a flood, because each piece is expensive for the host. A single piece is passed on immediately.
 * Pieces in the following turns of the event loop wait until a turn brings none, or until there are many.
 */
export const gather = (
  give: (data: Uint8Array) => void,
  nextTurn: (run: () => void) => unknown = setImmediate
): { readonly add: (data: Uint8Array) => void; readonly flush: () => void } => {
  /** Something was passed on in this turn or the last one. */
  let warm = false
  let held: Array<Uint8Array> = []
  let size = 0
  let turns = 0
  let came = false

  const flush = (): void => {
    if (size === 0) return
    const all = held.length === 1 ? held[0]! : Buffer.concat(held, size)
    held = []
    size = 0
    turns = 0
    give(all)
  }
  const turn = (): void => {
    if (came && ++turns < turnLimit) {
      came = false
      nextTurn(turn)
      return
    }
    came = false
    warm = size > 0
    flush()
    if (warm) nextTurn(turn)
  }
  return {
    add: (data) => {
      if (data.length === 0) return
      came = true
      if (!warm) {
        warm = true
        give(data)
        nextTurn(turn)
        return
      }
      if (size + data.length > gatherLimit) flush()
      held.push(data)
      size += data.length
      if (size >= gatherLimit) flush()
    },
    flush
  }
}
