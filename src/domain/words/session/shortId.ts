const shortLength = 5

/**
 * The end of a message's id, by which people name it. It stays the message's own, wherever that stands: positions
 * change while messages go out. Ids begin with their time, so that the beginnings of a queue's ids are much alike.
 */
export const shortId = (id: string): string => id.slice(-shortLength)
