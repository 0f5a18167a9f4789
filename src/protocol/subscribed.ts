// Which updates a subscription to a resource covers.

/**
 * Whether an update of `updated` is one of the resource `subscribed`, or of what lies below it
 * (server/resources, "Subscriptions"): `file:///a/b` is below `file:///a`, and `file:///ab` is not.
 */
export function covers(subscribed: string, updated: string): boolean {
  if (!updated.startsWith(subscribed)) return false;
  return (
    updated.length === subscribed.length ||
    /[/?#]$/.test(subscribed) ||
    /^[/?#]/.test(updated.slice(subscribed.length))
  );
}
