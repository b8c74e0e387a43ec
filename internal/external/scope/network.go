package scope

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
)

// The browser tells a session of a page of every request that the page makes: also of those for sites that are closed
// to agents, before anything of them is shown, and of the cookies of every site.

// exchange is a request of a page, with its redirects and its answer.
type exchange struct {
	address string // where it went last that is open to agents; "" for nowhere
	closed  bool   // it goes to a closed site now
	tainted bool   // it has gone to one
}

// requests are the last requests of a page, by their ids. Those that have gone to closed sites are remembered for
// longer, because a client could ask for their answers.
type requests struct {
	byID           map[string]*exchange
	plain, tainted []string // the oldest first
}

const (
	maxRequests = 5000
	maxTainted  = 10 * maxRequests
)

// record records where a request goes, and returns it.
func (r *requests) record(id, address string, closed bool) *exchange {
	if r.byID == nil {
		r.byID = map[string]*exchange{}
	}
	one := r.byID[id]
	if one == nil {
		one = &exchange{}
		r.byID[id] = one
		r.plain = r.forget(append(r.plain, id), maxRequests, false)
	}
	if one.closed = closed; closed && !one.tainted {
		one.tainted = true
		r.tainted = r.forget(append(r.tainted, id), maxTainted, true)
	}
	if !closed {
		one.address = address
	}
	return one
}

// forget forgets the oldest of too many requests.
func (r *requests) forget(list []string, most int, tainted bool) []string {
	if len(list) <= most {
		return list
	}
	if one := r.byID[list[0]]; one != nil && one.tainted == tainted {
		delete(r.byID, list[0])
	}
	return list[1:]
}

func (r *requests) isTainted(id string) bool { return r.byID[id] != nil && r.byID[id].tainted }

// redact removes from an event of a page what is closed to agents. It returns nil for an event that clients must not
// hear of.
func (b *Browser) redact(msg cdp.Message, s *session) []byte {
	domain, _, _ := strings.Cut(msg.Method(), ".")
	switch domain {
	case "Network", "Log", "Console", "Audits":
	case "Page":
		if !hasAddress(msg.Method()) {
			return msg.Raw()
		}
	default:
		return msg.Raw()
	}
	var e map[string]any
	read := json.NewDecoder(bytes.NewReader(msg.Raw()))
	read.UseNumber()
	if read.Decode(&e) != nil {
		return nil
	}
	params, _ := e["params"].(object)
	b.mu.Lock()
	defer b.mu.Unlock()
	t, sites := b.tabs.byID[s.tab], b.tabs.sites
	if t == nil {
		return nil
	}
	told, changed := true, false
	switch domain {
	case "Network":
		told, changed = s.redactRequest(sites, t, msg.Method(), params)
		if !told && isEnd(msg.Method()) && s.requests.byID[textIn(params, "requestId")].wasTold() {
			return failed(msg.Session(), params)
		}
	case "Page":
		told = s.isTold(sites, msg.Method(), params)
	case "Audits":
		told = isIssueOf(t, params) && sites.opensAll(params)
	case "Log":
		told = sites.opensText(textIn(params, "entry", "url"))
	case "Console":
		told = sites.opensText(textIn(params, "message", "url"))
	}
	if !told {
		return nil
	}
	if !changed {
		return msg.Raw()
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	return raw
}

// textIn returns a text in an object; "" if there is none.
func textIn(params object, path ...string) string {
	for _, name := range path[:len(path)-1] {
		params, _ = params[name].(object)
	}
	text, _ := params[path[len(path)-1]].(string)
	return text
}

// hasAddress reports whether an event of a page contains an address.
func hasAddress(method string) bool {
	switch method {
	case "Page.windowOpen", "Page.downloadWillBegin", "Page.frameStartedNavigating", "Page.frameRequestedNavigation",
		"Page.frameScheduledNavigation", "Page.navigatedWithinDocument", "Page.frameNavigated":
		return true
	}
	return false
}

// isTold reports whether a session may hear of an event that says where its page goes.
func (s *session) isTold(sites Sites, method string, params object) bool {
	switch method {
	case "Page.windowOpen", "Page.downloadWillBegin":
		return sites.opensText(textIn(params, "url"))
	case "Page.frameNavigated":
		address := textIn(params, "frame", "url")
		if strings.HasPrefix(address, "chrome-error:") { // in place of a page that did not load
			address = textIn(params, "frame", "unreachableUrl")
		}
		return textIn(params, "frame", "id") != s.tab || sites.opensText(address)
	}
	return textIn(params, "frameId") != s.tab || sites.opensText(textIn(params, "url"))
}

// isIssueOf reports whether an issue has no cookie of another site.
func isIssueOf(t *tab, params object) bool {
	issue, _ := params["issue"].(object)
	details, _ := issue["details"].(object)
	about, there := details["cookieIssueDetails"].(object)
	if !there {
		return true
	}
	cookie, _ := about["cookie"].(object)
	return isCookieOf(t, cookie)
}

// isCookieOf reports whether a cookie is one of the tab's own host.
func isCookieOf(t *tab, cookie object) bool {
	domain, err := json.Marshal(cookie["domain"])
	return err == nil && within(t, map[string]json.RawMessage{"domain": domain})
}

// redactRequest removes what is closed to agents from an event of the network. It reports whether clients may hear of
// the event, and whether it was changed.
func (s *session) redactRequest(sites Sites, t *tab, method string, params object) (told, changed bool) {
	id := textIn(params, "requestId")
	if id == "" {
		id = textIn(params, "transportId")
	}
	address := textIn(params, "request", "url")
	for _, path := range [][]string{{"response", "url"}, {"url"}, {"info", "outerResponse", "url"}} {
		if address == "" {
			address = textIn(params, path...)
		}
	}
	one, host := s.requests.byID[id], ""
	switch {
	case address != "":
		before := ""
		if one != nil {
			before = one.address
		}
		one = s.requests.record(id, address, !sites.opensText(address))
		changed = one.tainted && withoutDetour(params, before)
		host = hostOf(address)
	case method == "Network.requestWillBeSentExtraInfo": // of a request that may come later, or be led elsewhere
		headers, _ := params["headers"].(object)
		switch named := hostIn(headers); {
		case named == "" && one != nil:
			host = hostOf(one.address)
		case named != "" && !sites.opens("https://"+named) && !sites.opens("http://"+named):
			return false, false
		default:
			host = hostOf("https://" + named)
		}
	case one == nil && isStream(method): // it began before anybody asked, nobody knows where
		return false, false
	case one != nil && one.tainted && method == "Network.responseReceivedExtraInfo": // nobody knows of which answer
		return false, false
	case one != nil:
		host = hostOf(one.address)
	}
	if one != nil && one.closed {
		return false, false
	}
	changed = withoutOthersCookies(t, params, "associatedCookies", "blockedCookies", "exemptedCookies") || changed
	own := hostOf(t.URL)
	if own == "" || host != own {
		changed = withoutCookies(params) || changed
	} else if hostOf(textIn(params, "redirectResponse", "url")) != own {
		changed = withoutCookies(params["redirectResponse"]) || changed
	}
	return true, changed
}

// isStream reports whether an event belongs to a connection that lasts.
func isStream(method string) bool {
	return strings.HasPrefix(method, "Network.webSocket") || strings.HasPrefix(method, "Network.webTransport") ||
		method == "Network.eventSourceMessageReceived"
}

// withoutDetour removes from an event the closed site that has redirected a request. before is the last address of the
// request that clients know.
func withoutDetour(params object, before string) bool {
	response, _ := params["redirectResponse"].(object)
	switch {
	case response == nil:
	case before == "":
		delete(params, "redirectResponse")
	default:
		params["redirectResponse"] = object{"url": before, "status": response["status"], "statusText": "",
			"headers": object{}, "mimeType": "", "charset": "", "connectionReused": false, "connectionId": 0,
			"encodedDataLength": 0, "securityState": "unknown"}
	}
	for _, name := range []string{"redirectHasExtraInfo", "hasExtraInfo"} { // they are not told
		if _, there := params[name]; there {
			params[name] = false
		}
	}
	return true
}

// isEnd reports whether an event is the last of a request.
func isEnd(method string) bool {
	return method == "Network.loadingFinished" || method == "Network.loadingFailed"
}

// wasTold reports whether clients know of a request.
func (r *exchange) wasTold() bool { return r != nil && r.address != "" }

// failed returns the event that ends a request which clients know and which has gone to a closed site.
func failed(session string, params object) []byte {
	return eventOf(session, "Network.loadingFailed", object{
		"requestId": params["requestId"], "timestamp": params["timestamp"], "type": "Other",
		"errorText": "net::ERR_BLOCKED_BY_CLIENT", "canceled": false,
	})
}

// hostIn returns the host that the headers of a request name.
func hostIn(headers object) string {
	for name, value := range headers {
		if strings.EqualFold(name, "host") || strings.EqualFold(name, ":authority") {
			host, _ := value.(string)
			return host
		}
	}
	return ""
}

// withoutOthersCookies removes from lists the cookies that are not of the tab's own host. It reports whether there were
// any.
func withoutOthersCookies(t *tab, params object, lists ...string) (changed bool) {
	for _, name := range lists {
		list, _ := params[name].([]any)
		kept := slices.DeleteFunc(slices.Clone(list), func(one any) bool {
			o, _ := one.(object)
			cookie, _ := o["cookie"].(object)
			return !isCookieOf(t, cookie)
		})
		if len(kept) < len(list) {
			params[name], changed = kept, true
		}
	}
	return changed
}

// withoutCookies removes the cookies from all headers, and reports whether there were any.
func withoutCookies(value any) (changed bool) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			changed = withoutCookies(one) || changed
		}
	case object:
		for name, one := range v {
			switch strings.ToLower(name) {
			case "cookie", "cookie2", "set-cookie", "set-cookie2", "headerstext", "requestheaderstext":
				if _, text := one.(string); text {
					delete(v, name)
					changed = true
					continue
				}
			}
			changed = withoutCookies(one) || changed
		}
	}
	return changed
}
