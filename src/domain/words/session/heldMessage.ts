/** Why a message is held that the user holds. */
export const heldByUser = "you held it"
