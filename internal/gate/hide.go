package gate

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
	"cove/internal/policy"
)

// hidden stands where a secret was.
const hidden = "[hidden by Cove]"

// hiding is how secrets are taken out of one kind of message. The zero value leaves a message as it is.
type hiding struct {
	// shown is the right with which nothing needs to be hidden.
	shown policy.Class
	// do changes what the message tells; false drops it.
	do func(told map[string]any) bool
}

var (
	hideHeaders    = hiding{policy.Storage, func(told map[string]any) bool { headers(told); return true }}
	hideTree       = hiding{policy.Script, func(told map[string]any) bool { tree(told["root"], false); return true }}
	hideNode       = hiding{policy.Script, bareNode}
	hideAttributes = hiding{policy.Script, func(told map[string]any) bool { attributes(told["attributes"], true); return true }}
	hideSnapshot   = hiding{policy.Script, snapshot}
	dropped        = hiding{policy.Script, func(map[string]any) bool { return false }}
)

// events are the events that can tell secrets, by name; those of other names in Network and Fetch carry headers or nothing.
var events = map[string]hiding{
	"Audits.issueAdded":         hideHeaders,
	"DOM.setChildNodes":         {policy.Script, func(told map[string]any) bool { loose(told["nodes"]); return true }},
	"DOM.childNodeInserted":     {policy.Script, func(told map[string]any) bool { loose(told["node"]); return true }},
	"DOM.shadowRootPushed":      {policy.Script, func(told map[string]any) bool { loose(told["root"]); return true }},
	"DOM.attributeModified":     {policy.Script, attributeModified},
	"DOM.characterDataModified": dropped,
	"Network.dataReceived":      {},
	"Network.loadingFailed":     {},
	"Network.loadingFinished":   {},
}

// hides is what must be taken out of an event; nil for nothing, and for our own connections.
func (v *visit) hides(msg cdp.Message) edit {
	if v == nil {
		return nil
	}
	book := v.server.rules.Enforcer.Rules()
	if !book.BindsPrograms() && !book.HasSites() {
		return nil
	}
	method := msg.Method()
	if !course(method) && closed(book, v.client.mux.place(msg.Session()).URL) != nil {
		v.unseen(method, msg)
		return func([]byte) []byte { return nil }
	}
	if !book.BindsPrograms() {
		return nil
	}
	h, listed := events[method]
	if !listed && (strings.HasPrefix(method, "Network.") || strings.HasPrefix(method, "Fetch.")) {
		h = hideHeaders
	}
	return h.edit(book, "params")
}

// course reports whether an event tells only where a page is on its way: a client needs that of a page that is closed to it, too.
func course(method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Target", "Inspector":
		return true
	case "Page":
		return strings.HasPrefix(name, "frame") || name == "lifecycleEvent" || name == "loadEventFired" || name == "domContentEventFired" || name == "navigatedWithinDocument"
	case "Runtime":
		return strings.HasPrefix(name, "executionContext")
	case "Network":
		return strings.HasPrefix(name, "request") || strings.HasPrefix(name, "response") || strings.HasPrefix(name, "loading")
	}
	return method == "DOM.documentUpdated"
}

// unseen takes a picture of a screencast that is not shown: the browser waits until somebody has, and the page may be open again then.
func (v *visit) unseen(method string, msg cdp.Message) {
	if method != "Page.screencastFrame" {
		return
	}
	var e struct {
		Params struct {
			Number int `json:"sessionId"`
		} `json:"params"`
	}
	if json.Unmarshal(msg.Raw(), &e) == nil {
		_ = v.client.mux.call("Page.screencastFrameAck", map[string]int{"sessionId": e.Params.Number}, msg.Session(), func(json.RawMessage, error) {})
	}
}

// edit is the hiding as the policy wants it; part is where the message tells something.
func (h hiding) edit(book *policy.Rules, part string) edit {
	if h.do == nil || !book.BindsPrograms() || book.Right(h.shown) == policy.Yes {
		return nil
	}
	return func(raw []byte) []byte {
		msg := decoded(raw)
		if msg == nil {
			return nil
		}
		told, ok := msg[part].(map[string]any)
		if !ok {
			return raw // an error has nothing to hide
		}
		if !h.do(told) {
			return nil
		}
		return encoded(msg)
	}
}

// decoded is a message whose numbers stay as they are written; nil when it is none.
func decoded(raw []byte) (msg map[string]any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&msg) != nil {
		return nil
	}
	return msg
}

func encoded(msg map[string]any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(msg) != nil {
		return nil
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// headerNames are the headers that carry a login.
var headerNames = []string{"cookie", "cookie2", "set-cookie", "set-cookie2", "authorization", "proxy-authorization"}

func secretHeader(name string) bool {
	return slices.Contains(headerNames, strings.ToLower(strings.TrimSpace(name)))
}

// headers takes values of cookies, of headers that carry a login, and what forms send out of whatever is below v.
func headers(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			headers(e)
		}
	case map[string]any:
		for key, value := range v {
			switch strings.ToLower(key) {
			case "headers", "requestheaders", "responseheaders":
				headerFields(value)
			case "headerstext", "requestheaderstext", "postdata", "postdataentries", "rawcookieline", "cookieline":
				v[key] = blank(value)
			case "cookies":
				cookieValues(value)
			case "cookie":
				cookieValues([]any{value})
			default:
				headers(value)
			}
		}
	}
}

// blank is an empty value of the same kind, so that clients can read on.
func blank(v any) any {
	switch v.(type) {
	case string:
		return hidden
	case []any:
		return []any{}
	}
	return nil
}

func headerFields(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			if secretHeader(name) {
				v[name] = hidden
			}
		}
	case []any: // of Fetch
		for _, e := range v {
			if field, ok := e.(map[string]any); ok {
				if name, _ := field["name"].(string); secretHeader(name) {
					field["value"] = hidden
				}
			}
		}
	}
}

func cookieValues(v any) {
	list, _ := v.([]any)
	for _, e := range list {
		if cookie, ok := e.(map[string]any); ok {
			if _, there := cookie["value"]; there {
				cookie["value"] = hidden
			}
		}
	}
}

// tree takes the values of password fields out of a document: what its attributes say and what its own shadow tree holds.
// text says that texts are hidden, too.
func tree(v any, text bool) {
	node, ok := v.(map[string]any)
	if !ok {
		return
	}
	if text && node["nodeType"] == json.Number("3") {
		node["nodeValue"] = hidden
	}
	attributes(node["attributes"], strings.EqualFold(word(node["localName"]), "input") || strings.EqualFold(word(node["nodeName"]), "input"))
	if roots, ok := node["shadowRoots"].([]any); ok {
		node["shadowRoots"] = slices.DeleteFunc(roots, func(r any) bool {
			root, _ := r.(map[string]any)
			return word(root["shadowRootType"]) == "user-agent"
		})
	}
	for _, key := range []string{"children", "shadowRoots", "pseudoElements"} {
		list, _ := node[key].([]any)
		for _, child := range list {
			tree(child, text)
		}
	}
	for _, key := range []string{"contentDocument", "templateContent", "importedDocument"} {
		tree(node[key], text)
	}
}

func word(v any) string {
	s, _ := v.(string)
	return s
}

// loose hides the texts of parts of a document: whether they stand in a password field is not told with them.
func loose(v any) {
	if list, ok := v.([]any); ok {
		for _, node := range list {
			tree(node, true)
		}
		return
	}
	tree(v, true)
}

// bareNode leaves of a node what it is, not what is in it: it may be the inside of a password field.
func bareNode(told map[string]any) bool {
	node, ok := told["node"].(map[string]any)
	if !ok {
		return true
	}
	for _, key := range []string{"children", "shadowRoots", "pseudoElements"} {
		delete(node, key)
	}
	tree(node, true)
	return true
}

// attributes hides the value in a node's list of names and values, when it is that of a password field.
func attributes(v any, input bool) {
	list, _ := v.([]any)
	password, at := false, -1
	for i := 0; i+1 < len(list); i += 2 {
		switch strings.ToLower(word(list[i])) {
		case "type":
			password = strings.EqualFold(strings.TrimSpace(word(list[i+1])), "password")
		case "value":
			at = i + 1
		}
	}
	if input && password && at >= 0 {
		list[at] = hidden
	}
}

// attributeModified does not tell of which element the attribute is.
func attributeModified(told map[string]any) bool {
	if strings.EqualFold(word(told["name"]), "value") {
		told["value"] = hidden
	}
	return true
}

// snapshot takes the values of password fields out of a captured snapshot. Its texts stand in one table, by number.
func snapshot(told map[string]any) bool {
	texts, _ := told["strings"].([]any)
	at := func(v any) int {
		n, _ := v.(json.Number)
		i, err := n.Int64()
		if err != nil || i < 0 || int(i) >= len(texts) {
			return -1
		}
		return int(i)
	}
	text := func(v any) string {
		if i := at(v); i >= 0 {
			return word(texts[i])
		}
		return ""
	}
	secret := map[int]bool{}
	documents, _ := told["documents"].([]any)
	for _, d := range documents {
		document, _ := d.(map[string]any)
		nodes, _ := document["nodes"].(map[string]any)
		passwords := map[int]bool{}
		lists, _ := nodes["attributes"].([]any)
		for n, l := range lists {
			list, _ := l.([]any)
			value := -1
			for i := 0; i+1 < len(list); i += 2 {
				switch strings.ToLower(text(list[i])) {
				case "type":
					passwords[n] = strings.EqualFold(strings.TrimSpace(text(list[i+1])), "password")
				case "value":
					value = at(list[i+1])
				}
			}
			if passwords[n] && value >= 0 {
				secret[value] = true
			}
		}
		parents, _ := nodes["parentIndex"].([]any)
		within := func(n int) bool { // a password field, or inside one
			for range len(parents) + 1 {
				if passwords[n] {
					return true
				}
				if n < 0 || n >= len(parents) {
					return false
				}
				up, _ := parents[n].(json.Number)
				i, err := up.Int64()
				if err != nil {
					return false
				}
				n = int(i)
			}
			return false
		}
		mark := func(n int, v any) {
			if i := at(v); i >= 0 && within(n) {
				secret[i] = true
			}
		}
		for _, key := range []string{"inputValue", "textValue"} {
			rare, _ := nodes[key].(map[string]any)
			index, _ := rare["index"].([]any)
			values, _ := rare["value"].([]any)
			for i := range min(len(index), len(values)) {
				number, _ := index[i].(json.Number)
				if n, err := number.Int64(); err == nil {
					mark(int(n), values[i])
				}
			}
		}
		values, _ := nodes["nodeValue"].([]any)
		for n, v := range values {
			mark(n, v)
		}
		layout, _ := document["layout"].(map[string]any)
		index, _ := layout["nodeIndex"].([]any)
		shown, _ := layout["text"].([]any)
		for i := range min(len(index), len(shown)) {
			number, _ := index[i].(json.Number)
			if n, err := number.Int64(); err == nil {
				mark(int(n), shown[i])
			}
		}
	}
	for i := range secret {
		if word(texts[i]) != "" {
			texts[i] = hidden
		}
	}
	return true
}
