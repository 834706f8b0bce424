/** Bytes that are put together at most: what one frame to a viewer may have. */
export const gatherLimit = (64 << 10) - 16
/** Turns of the event loop that they may take. */
const turnLimit = 32

/**
 * Puts what comes in a flood together, since each piece costs its way through the host. What comes alone is given on at
 * once; what comes in the turns of the event loop after it waits until none comes for a turn, or it is much.
 */
export const gather = (
  give: (data: Uint8Array) => void,
  nextTurn: (run: () => void) => unknown = setImmediate
): { readonly add: (data: Uint8Array) => void; readonly flush: () => void } => {
  /** Something was given on in this turn or the last one. */
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
