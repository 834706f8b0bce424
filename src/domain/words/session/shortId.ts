const shortLength = 5

/** The end of a message's id, by which people name it: positions change, and the starts of ids are alike. */
export const shortId = (id: string): string => id.slice(-shortLength)
