/** Why another user's file stays as it is: the replacement would belong to this user. */
export const foreignFileReason = (
  old: { readonly uid: number; readonly gid: number },
  own: { readonly uid: number; readonly gid: number }
): string =>
  old.uid === own.uid
    ? `it belongs to group ${old.gid}, which this user (uid ${own.uid}) cannot give a file to; it was left as it is`
    : `it belongs to another user (uid ${old.uid}; this is uid ${own.uid}); it was left as it is`
