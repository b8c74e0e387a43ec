package scope

import (
	"encoding/json"
	"fmt"
	"strings"
)

// bound is put before a script that the browser runs in every new document. It ends the script in a document that is
// closed to agents, because the script runs before the tab can be hidden. It trusts nothing that a script can define
// before the first statement: location cannot be redefined, and the rest is syntax and methods of literals. An empty
// document belongs to whoever made it, so its ancestors count.
const bound = `if(!((a,b)=>{const l=location,o=[l.origin];` +
	`for(let i=0;i<l.ancestorOrigins.length;i++)o[i+1]=l.ancestorOrigins[i];` +
	`return /^(https?|about|blob|data):$/.test(l.protocol)&&o.every(x=>{` +
	`if(x==='null')return true;` +
	`const m=/^(https?):\/\/(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(x);if(!m)return false;` +
	`const h=m[2].replace(/^\[|\]$/g,'').replace(/\.+$/,'');` +
	`if(/^::ffff:/.test(h))return false;` +
	`const k=m[1]+'://'+h+':'+(m[3]||(m[1]==='https'?443:80));` +
	`return a.test(k)&&!b.test(k)})})(/%s/,/%s/))throw'This document is closed to agents.';` + "\n"

// bounded returns a script with bound before it.
func (s Sites) bounded(source string) string {
	allow, block := s.Expressions()
	if allow == "" {
		allow = "^"
	}
	if block == "" {
		block = "[^\\s\\S]"
	}
	strict := ""
	for _, directive := range []string{`'use strict'`, `"use strict"`} {
		if strings.HasPrefix(strings.TrimSpace(source), directive) {
			strict = directive + ";"
		}
	}
	return strict + fmt.Sprintf(bound, allow, block) + source
}

// boundScript bounds a script that is the parameter of a command.
func (s Sites) boundScript(c command, name string) verdict {
	if !c.has(name) {
		return pass()
	}
	var source string
	if json.Unmarshal(c.params[name], &source) != nil {
		return refuse(name + " is not a text.")
	}
	if strings.TrimSpace(source) == "" {
		return pass() // it makes a world without a script
	}
	return pass().with(c, name, s.bounded(source))
}

// with replaces a parameter of the command.
func (v verdict) with(c command, name string, value any) verdict {
	raw, err := json.Marshal(value)
	if err != nil { // it is a text, or a list of texts
		panic(err)
	}
	if v.params == nil {
		v.params = map[string]json.RawMessage{}
		for name, value := range c.params {
			v.params[name] = value
		}
	}
	v.params[name] = raw
	return v
}

func checkNewDocument(b *Browser, _ *session, _ *tab, c command) verdict {
	return b.tabs.sites.boundScript(c, "source")
}

func checkReload(b *Browser, _ *session, _ *tab, c command) verdict {
	return b.tabs.sites.boundScript(c, "scriptToEvaluateOnLoad")
}

// A client may answer a request itself, and so decide what a document is. It never hears of requests for addresses that
// are closed to it: these go on as if nobody had asked for them.

// requestPaused reports whether a client may hear of a request that waits. If not, it lets the request go on.
func (b *Browser) requestPaused(method, at string, s *session, raw []byte) (told bool) {
	var e struct {
		Params struct {
			ID      string `json:"requestId"`
			Request struct {
				URL string `json:"url"`
			} `json:"request"`
		} `json:"params"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return false
	}
	id := e.Params.ID
	b.mu.Lock()
	defer b.mu.Unlock()
	if s != nil && b.tabs.isVisible(s.tab) && !b.frames.closes(s) && b.tabs.sites.opens(e.Params.Request.URL) {
		if s.paused == nil {
			s.paused = map[string]bool{}
		}
		s.paused[id] = true
		return true
	}
	on, params := "Fetch.continueRequest", object{"requestId": id}
	if method == "Fetch.authRequired" {
		on, params["authChallengeResponse"] = "Fetch.continueWithAuth", object{"response": "Default"}
	}
	go b.calls.post(at, on, params)
	return false
}

// checkPaused lets a client decide only on requests that it was told of.
func checkPaused(b *Browser, s *session, _ *tab, c command) verdict {
	id := c.text("requestId")
	if !s.paused[id] {
		return refuse("Invalid InterceptionId.")
	}
	switch c.method {
	case "Fetch.getResponseBody", "Fetch.takeResponseBodyAsStream":
		return pass()
	case "Fetch.continueRequest":
		if address := c.text("url"); c.has("url") && (address == "" || !b.tabs.sites.opens(address)) {
			return refuse("A request cannot be led to an address that is closed to agents.")
		}
	}
	delete(s.paused, id)
	return pass()
}
