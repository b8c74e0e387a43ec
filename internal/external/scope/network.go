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

// requests are the last requests of a page: the host of each, or "" for one that is closed to agents.
type requests struct {
	hosts map[string]string
	order []string // the oldest first
}

const maxRequests = 5000

// note notes where a request goes. One that was closed stays so: it may be led back to an open address.
func (r *requests) note(id, host string) {
	if r.hosts == nil {
		r.hosts = map[string]string{}
	}
	before, known := r.hosts[id]
	if known && before == "" {
		return
	}
	r.hosts[id] = host
	if known {
		return
	}
	if r.order = append(r.order, id); len(r.order) > maxRequests {
		delete(r.hosts, r.order[0])
		r.order = r.order[1:]
	}
}

func (r *requests) isClosed(id string) bool {
	host, known := r.hosts[id]
	return known && host == ""
}

// bare returns an event of a page without what is closed to agents in it; nil for one that is not told.
func (b *Browser) bare(msg cdp.Message, s *session) []byte {
	domain, _, _ := strings.Cut(msg.Method(), ".")
	switch domain {
	case "Network", "Page", "Log", "Console", "Audits":
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
	t := b.tabs[s.tab]
	if t == nil {
		return nil
	}
	told, changed := true, false
	switch domain {
	case "Network":
		told, changed = b.bareRequest(s, t, params)
	case "Page":
		told = b.isTold(s, msg.Method(), params)
	case "Audits":
		told = isIssueOf(t, params) && b.opensAll(params)
	case "Log":
		told = b.opensText(textIn(params, "entry", "url"))
	case "Console":
		told = b.opensText(textIn(params, "message", "url"))
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

// opensText is opens for an address that may be none, or of a WebSocket: that is as open as its page.
func (b *Browser) opensText(address string) bool {
	if strings.HasPrefix(address, "ws:") || strings.HasPrefix(address, "wss:") {
		address = "http" + strings.TrimPrefix(address, "ws")
	}
	return !strings.Contains(address, ":") || isInline(address) || b.opens(address)
}

// opensAll reports whether all addresses in a value are open.
func (b *Browser) opensAll(value any) bool {
	switch v := value.(type) {
	case string:
		return !strings.Contains(v, "://") || b.opens(v)
	case []any:
		return !slices.ContainsFunc(v, func(one any) bool { return !b.opensAll(one) })
	case object:
		for _, one := range v {
			if !b.opensAll(one) {
				return false
			}
		}
	}
	return true
}

// isTold reports whether a session is told where its page goes.
func (b *Browser) isTold(s *session, method string, params object) bool {
	switch method {
	case "Page.windowOpen", "Page.downloadWillBegin":
		return b.opensText(textIn(params, "url"))
	case "Page.frameStartedNavigating", "Page.frameRequestedNavigation", "Page.frameScheduledNavigation",
		"Page.navigatedWithinDocument":
		return textIn(params, "frameId") != s.tab || b.opensText(textIn(params, "url"))
	case "Page.frameNavigated":
		return textIn(params, "frame", "id") != s.tab || b.opensText(textIn(params, "frame", "url"))
	}
	return true
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

// bareRequest takes what is closed out of an event of the network, and reports whether it is told and was changed.
func (b *Browser) bareRequest(s *session, t *tab, params object) (told, changed bool) {
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
	host := s.requests.hosts[id]
	headers, _ := params["headers"].(object)
	switch {
	case address != "":
		if host = ""; b.opensText(address) {
			host = hostOf(address) + ":" // of an address without a host
		}
		s.requests.note(id, host)
	case headers != nil: // of a request that may come later, or be led elsewhere
		if named := hostIn(headers); named != "" {
			if host = hostOf("https://" + named); !b.opens("https://"+named) || !b.opens("http://"+named) {
				return false, false
			}
			host += ":"
		}
	}
	if s.requests.isClosed(id) {
		return false, false
	}
	own := hostOf(t.URL)
	changed = keepCookies(t, params, "associatedCookies", "blockedCookies", "exemptedCookies")
	if own == "" || host != own+":" {
		changed = withoutCookies(params) || changed
	} else if hostOf(textIn(params, "redirectResponse", "url")) != own {
		changed = withoutCookies(params["redirectResponse"]) || changed
	}
	return true, changed
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

// keepCookies keeps the cookies of the tab's own host in lists of them, and reports whether there were others.
func keepCookies(t *tab, params object, lists ...string) (changed bool) {
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
