package redaction

import (
	"strings"
	"testing"

	"cove/internal/gate/method"
	"cove/internal/policy"
)

func TestOnlyListedMethodsAreRedacted(t *testing.T) {
	for name := range answers {
		if _, listed := method.Of(name); !listed {
			t.Errorf("%s is redacted and stands in no list", name)
		}
	}
}

func TestRedaction(t *testing.T) {
	rules := policy.NewRules(policy.Policy{Preset: policy.Guarded})
	for _, c := range []struct{ name, method, event, told string }{
		{"cookies", "Network.getCookies", "", `{"cookies":[{"name":"keep","value":"SECRET"}]}`},
		{"headers of a request", "", "Network.requestWillBeSent",
			`{"request":{"url":"keep","headers":{"cOOkie":"a=SECRET","Authorization":"SECRET"},"postData":"p=SECRET",
				"postDataEntries":[{"bytes":"SECRET"}]},"redirectResponse":{"headers":{"Set-Cookie":"SECRET"},
				"headersText":"SECRET","requestHeaders":{"Proxy-Authorization":"SECRET"},
				"requestHeadersText":"SECRET"}}`},
		{"more of a request", "", "Network.requestWillBeSentExtraInfo",
			`{"associatedCookies":[{"cookie":{"name":"keep","value":"SECRET"},"blockedReasons":[]}],
				"headers":{"Cookie":"SECRET"}}`},
		{"more of an answer", "", "Network.responseReceivedExtraInfo",
			`{"blockedCookies":[{"cookieLine":"a=SECRET","cookie":{"name":"keep","value":"SECRET"}}],
				"exemptedCookies":[{"cookieLine":"SECRET","cookie":{"value":"SECRET"}}],
				"headers":{"set-cookie":"SECRET"},
				"headersText":"SECRET"}`},
		{"a WebSocket's handshake", "", "Network.webSocketWillSendHandshakeRequest",
			`{"request":{"headers":{"Cookie":"SECRET","keep":"1"}}}`},
		{"a paused request", "", "Fetch.requestPaused",
			`{"request":{"headers":{"Cookie":"SECRET"},"url":"keep"},"responseHeaders":[{"name":"SET-COOKIE",
				"value":"SECRET"}]}`},
		{"an issue", "", "Audits.issueAdded",
			`{"issue":{"details":{"cookieIssueDetails":{"cookie":{"name":"keep"},"rawCookieLine":"a=SECRET"}}}}`},
		{"a document", "DOM.getDocument", "",
			`{"root":{"nodeName":"#document","children":[{"nodeName":"INPUT","localName":"input","attributes":["value",
				"SECRET","TYPE","Password","id","keep"],"shadowRoots":[{"shadowRootType":"user-agent",
				"children":[{"nodeType":3,"nodeValue":"SECRET"}]}]},{"nodeName":"IFRAME",
				"contentDocument":{"children":[{"nodeName":"input",
				"attributes":["type","password","value","SECRET"]}]}}]}}`},
		{"a node", "DOM.describeNode", "",
			`{"node":{"nodeType":1,"nodeName":"keep","children":[{"nodeType":3,"nodeValue":"SECRET"}]}}`},
		{"a text", "DOM.describeNode", "", `{"node":{"nodeType":3,"nodeName":"keep","nodeValue":"SECRET"}}`},
		{"attributes", "DOM.getAttributes", "", `{"attributes":["id","keep","type","password","value","SECRET"]}`},
		{"nodes that come later", "", "DOM.setChildNodes",
			`{"parentId":1,"nodes":[{"nodeType":1,"localName":"keep",
				"children":[{"nodeType":3,"nodeValue":"SECRET"}]}]}`},
		{"a changed value", "", "DOM.attributeModified", `{"nodeId":1,"name":"value","value":"SECRET","keep":1}`},
		{"a captured snapshot", "DOMSnapshot.captureSnapshot", "",
			`{"strings":["INPUT","type","password","value","SECRET","#text","keep"],
				"documents":[{"nodes":{"parentIndex":[-1,0,1],"nodeValue":[-1,-1,4],"attributes":[[1,2,3,4],[],[]],
				"inputValue":{"index":[0],"value":[4]}},"layout":{"nodeIndex":[2],"text":[4]}}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, part := OfAnswer(c.method), "result"
			if c.event != "" {
				part = "params"
				h = OfEvent(c.event)
			}
			e := h.Edit(rules, part)
			if e == nil {
				t.Fatal("nothing is redacted")
			}
			got := string(e([]byte(`{"id":1,"` + part + `":` + c.told + `}`)))
			if strings.Contains(got, "SECRET") || !strings.Contains(got, "keep") || !strings.Contains(got, `"id":1`) {
				t.Fatalf("got %s", got)
			}
			all := policy.NewRules(policy.Policy{Preset: policy.Guarded,
				Rights: map[policy.Class]policy.Answer{policy.Script: policy.Yes, policy.Storage: policy.Yes}})
			if h.Edit(all, part) != nil || h.Edit(policy.NewRules(policy.Policy{}), part) != nil {
				t.Fatal("it is hidden from one who may see it")
			}
		})
	}
	t.Run("the value of another field stays", func(t *testing.T) {
		got := string(redactTree.Edit(rules,
			"result")([]byte(`{"result":{"root":{"localName":"input",
				"attributes":["type","text","value","SECRET"]}}}`)))
		if !strings.Contains(got, "SECRET") {
			t.Fatalf("got %s", got)
		}
	})
	t.Run("an error stays as it is", func(t *testing.T) {
		const raw = `{"id":1,"error":{"code":1,"message":"no"}}`
		if got := string(redactTree.Edit(rules, "result")([]byte(raw))); got != raw {
			t.Fatalf("got %s", got)
		}
	})
}
