package scope

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cove/internal/cdp"
)

// The scripts of a page run in contexts: those of its sites' frames, and others of the person's extensions, which can
// do what the extension can. A client hears of the contexts that are open to agents, and uses only these.

// number returns a number of the browser as text.
func number(v any) string {
	n, ok := v.(float64)
	if !ok {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// learn registers a script context that a client may use.
func (s *session) learn(id string) {
	if id == "" {
		return
	}
	if s.contexts == nil {
		s.contexts = map[string]bool{}
	}
	s.contexts[id] = true
}

// judgeContexts refuses script contexts that the client has not heard of: a context of an extension can do what the
// extension can.
func (s *session) judgeContexts(c command) verdict {
	for _, name := range []string{"contextId", "executionContextId", "uniqueContextId"} {
		raw, there := c.params[name]
		if there && !s.contexts[strings.Trim(string(raw), `"`)] {
			return refuseAs(errContext)
		}
	}
	if len(s.hidden) == 0 {
		return pass()
	}
	for _, raw := range c.params {
		var value any
		if json.Unmarshal(raw, &value) != nil || s.hides(value) {
			return refuseAs(errContext)
		}
	}
	return pass()
}

var (
	errContext = refused("Cannot find context with specified id")
	errHidden  = &cdp.Error{Code: noSession, Message: "This tab is not shared any more."}
)

// noSession is the code of an error that tells a client that its session has ended.
const noSession = -32001

// objectID matches the id of an object, which has the id of its script context in the middle.
var objectID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?\d+\.(\d+)\.\d+$`) })

// hides reports whether a value has the id of an object of a hidden context. Such ids can be guessed.
func (s *session) hides(value any) bool {
	switch v := value.(type) {
	case string:
		m := objectID().FindStringSubmatch(v)
		return m != nil && s.hidden[m[1]]
	case []any:
		return slices.ContainsFunc(v, s.hides)
	case object:
		for _, one := range v {
			if s.hides(one) {
				return true
			}
		}
	}
	return false
}

// hidesContext reports whether an event comes from a script context that is closed to agents: that of an extension, or
// of a closed frame. It registers the open contexts for the client.
func (b *Browser) hidesContext(msg cdp.Message, s *session) bool {
	method, ok := strings.CutPrefix(msg.Method(), "Runtime.")
	if !ok {
		return false
	}
	type of struct {
		ID int64 `json:"executionContextId"`
	}
	var e struct {
		Params struct {
			of
			Unique  string `json:"executionContextUniqueId"`
			Thrown  of     `json:"exceptionDetails"`
			Context struct {
				ID     int64  `json:"id"`
				Unique string `json:"uniqueId"`
				Origin string `json:"origin"`
			} `json:"context"`
		} `json:"params"`
	}
	if json.Unmarshal(msg.Raw(), &e) != nil {
		return true
	}
	p := e.Params
	b.mu.Lock()
	defer b.mu.Unlock()
	switch id := max(p.ID, p.Thrown.ID, p.Context.ID); method {
	case "executionContextCreated":
		origin := p.Context.Origin
		if o, err := url.Parse(origin); err == nil && o.Scheme != "" && !b.tabs.sites.opens(origin) {
			s.hide(strconv.FormatInt(id, 10))
			return true
		}
		delete(s.hidden, strconv.FormatInt(id, 10)) // another process counts anew
		s.learn(strconv.FormatInt(id, 10))
		s.learn(p.Context.Unique)
	case "executionContextDestroyed":
		delete(s.contexts, strconv.FormatInt(id, 10))
		delete(s.contexts, p.Unique)
	case "executionContextsCleared":
		s.contexts, s.hidden = nil, nil
	default:
		return id != 0 && s.hidden[strconv.FormatInt(id, 10)]
	}
	return false
}

// hide registers a script context that a client must not use.
func (s *session) hide(id string) {
	if s.hidden == nil {
		s.hidden = map[string]bool{}
	}
	s.hidden[id] = true
	delete(s.contexts, id)
}
