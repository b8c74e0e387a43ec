package gate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/gate/summary"
	"cove/internal/journal"
	"cove/internal/policy"
)

// endpoints answers HTTP requests below /json as Chrome does.
type endpoints struct {
	config  *Config
	mux     *mux.Mux
	version Version
	path    string // the WebSocket path of the browser
}

// describeVersion returns Chrome's answer to /json/version. ChromeDriver refuses one without WebKit-Version.
func (e *endpoints) describeVersion(host string) map[string]string {
	return map[string]string{
		"Browser":              e.version.Product,
		"Protocol-Version":     e.version.Protocol,
		"User-Agent":           e.version.UserAgent,
		"V8-Version":           e.version.JS,
		"WebKit-Version":       "537.36 (" + e.version.Revision + ")",
		"webSocketDebuggerUrl": "ws://" + host + e.path,
	}
}

// describeTarget returns Chrome's entry for one target.
func describeTarget(t mux.Target, host string) map[string]string {
	page := host + "/devtools/page/" + t.ID
	d := map[string]string{
		"description": "", "devtoolsFrontendUrl": "devtools://devtools/bundled/inspector.html?ws=" + page,
		"id": t.ID, "title": t.Title, "type": t.Type, "url": t.URL, "webSocketDebuggerUrl": "ws://" + page,
	}
	if t.Parent != "" {
		d["parentId"] = t.Parent
	}

	return d
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "   ")
	_ = e.Encode(v)
}

// callLimit bounds every command of the gate itself: a browser that hangs must not hold up a request for ever.
const callLimit = 15 * time.Second

func (e *endpoints) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()

	return e.mux.Call(ctx, method, params, result)
}

// readTargets returns the browser's targets, without the person's secrets in their titles and addresses. Where the
// policy binds programs, it leaves out the targets of extensions.
func (e *endpoints) readTargets(ctx context.Context) ([]mux.Target, error) {
	var r struct {
		TargetInfos []mux.Target `json:"targetInfos"`
	}
	err := e.call(ctx, "Target.getTargets", nil, &r)
	if e.config.Enforcer.Rules().BindsPrograms() {
		r.TargetInfos = slices.DeleteFunc(r.TargetInfos, func(t mux.Target) bool {
			return policy.IsExtension(addressOf(e.mux, t))
		})
	}
	if redact := e.config.secretRedactor(); redact != nil {
		for i, t := range r.TargetInfos {
			r.TargetInfos[i].Title, r.TargetInfos[i].URL = redact(t.Title), redact(t.URL)
		}
	}

	return r.TargetInfos, err
}

// has reports whether there is a target with that id.
func (e *endpoints) has(ctx context.Context, id string) bool {
	_, found := e.find(ctx, id)
	return found
}

func (e *endpoints) find(ctx context.Context, id string) (mux.Target, bool) {
	targets, err := e.readTargets(ctx)
	if err != nil {
		return mux.Target{}, false
	}
	for _, t := range targets {
		if t.ID == id {
			return t, true
		}
	}

	return mux.Target{}, false
}

// serveList answers /json/list.
func (e *endpoints) serveList(w http.ResponseWriter, r *http.Request) {
	targets, err := e.readTargets(r.Context())
	if err != nil {
		http.Error(w, "The browser does not answer: "+err.Error(), http.StatusInternalServerError)
		return
	}

	e.mux.SortTargets(targets)
	list := make([]map[string]string, 0, len(targets))
	for _, t := range targets {
		list = append(list, describeTarget(t, r.Host))
	}
	writeJSON(w, list)
}

// serveNew answers /json/new.
func (e *endpoints) serveNew(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPut {
		w.Header().Set("Allow", http.MethodPut)
		http.Error(w, "Using unsafe HTTP verb "+r.Method+" to invoke /json/new. This action supports only PUT verb.",
			http.StatusMethodNotAllowed)
		return
	}
	address, err := url.QueryUnescape(r.URL.RawQuery)
	if err != nil || address == "" {
		address = "about:blank"
	}

	var made struct {
		TargetID string `json:"targetId"`
	}
	err = e.act(r, "Target.createTarget", map[string]string{"url": address}, &made)
	switch {
	case denied(err):
		e.config.deny(w, err)
		return
	case err != nil:
		http.Error(w, "Could not create new page: "+err.Error(), http.StatusInternalServerError)
		return
	}

	t, found := e.find(r.Context(), made.TargetID)
	if !found {
		t = mux.Target{ID: made.TargetID, Type: "page", URL: address}
	}
	writeJSON(w, describeTarget(t, r.Host))
}

// serveAction answers /json/activate and /json/close.
func (e *endpoints) serveAction(w http.ResponseWriter, r *http.Request, method, id, done string) {
	err := e.act(r, method, map[string]string{"targetId": id}, nil)
	var failed *cdp.Error
	switch {
	case denied(err):
		e.config.deny(w, err)
	case errors.As(err, &failed):
		http.Error(w, "No such target id: "+id, http.StatusNotFound)
	case err != nil:
		http.Error(w, "The browser does not answer: "+err.Error(), http.StatusInternalServerError)
	default:
		if method == "Target.activateTarget" {
			e.mux.Activated(id)
		}
		_, _ = w.Write([]byte(done))
	}
}

// act runs the command of one HTTP request as if a program had sent it on a WebSocket: it is judged and recorded.
func (e *endpoints) act(r *http.Request, method string, params map[string]string, result any) error {
	admission, err := e.config.admitProgram()
	if err != nil {
		return err
	}
	defer admission.Close()
	known := e.config.identify(r, admission)
	began := time.Now()
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(admission.Context(), func() { cancel(admission.Err()) })()
	cmd := &command{config: e.config, mux: e.mux, method: method, raw: raw}
	if err = admission.Begin(ctx, true); err == nil && method == "Target.closeTarget" {
		err = admission.BeginOn(ctx, params["targetId"], time.Now().Add(policy.ControlLimit()))
	}
	if err == nil {
		cmd.rules = e.config.Enforcer.Rules()
		err = cmd.judge(ctx)
	}
	if err == nil {
		err = cmd.ownTab(ctx, program{admission.Owner(), known})
	}
	if err == nil {
		err = cmd.authorize(ctx, admission, func(bool) {})
	}
	entry := journal.Entry{Time: began.UTC(), Name: method, Args: summary.Of(raw), Outcome: "ok"}
	if err != nil {
		entry.Outcome = "refused"
	} else if err = e.call(ctx, method, params, result); err != nil {
		entry.Outcome = "error"
	}

	if e.config.Journal != nil {
		if err != nil {
			entry.Error = err.Error()
		}
		<-known
		entry.Agent, entry.Duration = admission.Agent(), time.Since(began)
		e.config.Journal.Record(entry)
	}

	return err
}
