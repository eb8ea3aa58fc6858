// Talks to the server. An answer that is no success is an Error with the server's own words.

/** The JSON of an answer. `body` is sent as JSON. */
export async function ask(path, body = undefined, options = {}) {
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    ...options,
  });
  const text = await answer.text();
  const found = text ? JSON.parse(text) : {};
  if (!answer.ok) throw new Error(found.error || found.reason || `${answer.status} ${answer.statusText}`);
  return found;
}
