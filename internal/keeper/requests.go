package keeper

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/policy"
	"cove/internal/redact"
)

// requests is the part of the keeper's socket that is about requests: a person answers those of agents, and programs
// that speak to the app make their own. It owns nothing: the enforcer has the requests, and agents the tabs that they
// are about.
type requests struct {
	enforcer *policy.Enforcer
	agents   *agents
}

// routes adds the calls.
func (q *requests) routes(routes *http.ServeMux) {
	post := func(name string, h http.HandlerFunc) { routes.HandleFunc("POST /v1/asks"+name, h) }
	post("/answer", handleJSON(func(ctx context.Context, a keeperclient.RequestAnswer) (any, error) {
		a.Reply.Code = a.Code
		return nil, q.enforcer.Reply(ctx, a.ID, a.Reply)
	}))
	post("/seen", handleJSON(func(_ context.Context, s keeperclient.RequestSeen) (any, error) {
		return nil, q.enforcer.MarkSeen(s.ID, s.Working)
	}))
	post("/withdraw", handleJSON(func(_ context.Context, s keeperclient.RequestSeen) (any, error) {
		return q.enforcer.Withdraw(s.ID, nil)
	}))
	post("/key", handleJSON(func(_ context.Context, a keeperclient.RequestKey) (any, error) {
		return nil, q.enforcer.CheckKey(a.ID, a.Key)
	}))
	post("", handleJSON(q.create))
	routes.HandleFunc("GET /v1/asks", q.await)
}

// await answers with a request when it has ended, or as it is after the wait.
func (q *requests) await(w http.ResponseWriter, r *http.Request) {
	wait, _ := strconv.Atoi(r.URL.Query().Get("wait"))
	limit := time.Duration(wait) * time.Millisecond
	got, err := q.enforcer.Await(r.Context(), r.URL.Query().Get("id"), nil, limit)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(got)
}

// create asks the person for something on behalf of a program that speaks to the app.
func (q *requests) create(ctx context.Context, in keeperclient.NewRequest) (any, error) {
	r := policy.Request{
		Kind: in.Kind, What: q.agents.server.RedactText(in.Message), Options: in.Options, Tab: in.Tab,
		Agent: policy.Agent{Kind: policy.Program, Name: in.Name},
	}
	if err := r.CheckHelp(); err != nil {
		return nil, err
	}
	if err := q.findTab(ctx, &r); err != nil {
		return nil, err
	}
	return q.enforcer.AskPerson(nil, r)
}

// findTab finds the tab that a request is about: the one that it names, or the only one.
func (q *requests) findTab(ctx context.Context, r *policy.Request) error {
	b, err := q.agents.awaitBrowser(ctx)
	if err != nil {
		return err
	}
	tabs := b.Tabs()
	if r.Tab == "" && len(tabs) == 1 {
		r.Tab = tabs[0].ID()
	}
	for _, t := range tabs {
		if t.ID() == r.Tab {
			r.Page = q.agents.server.RedactText(redact.URL(t.About().URL))
			r.Thumbnail = q.agents.thumbnail(ctx, r.Tab)
			return nil
		}
	}
	if r.Tab != "" {
		return fault.Fieldf("tab", "There is no tab %q.", r.Tab).
			WithHint("Name an open tab by its target id, or leave it out.")
	}
	return nil
}
