// SPDX-License-Identifier: Apache-2.0
// Gives the page for browsers the two headers without which a browser gives it no threads, where
// its server of files cannot send them. scripts/packaging/pages.sh puts this file beside the page,
// and a script into the page that registers it and loads the page once more. The worker asks for
// what the page asks for, and for nothing of its own: what the policy of the page refuses never
// arrives here.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(answer(event.request)));

async function answer(request) {
  const response = await fetch(request);
  if (response.type !== "basic") return response;  // headers of other servers cannot be seen
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(response.body, { status: response.status, headers });
}
