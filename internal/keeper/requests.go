package keeper

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"time"

	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/policy"
	"cove/internal/redact"
)

// requestRoutes are the calls about requests: a person answers them, and programs make their own.
func (k *keeper) requestRoutes(routes *http.ServeMux) {
	post := func(name string, h http.HandlerFunc) { routes.HandleFunc("POST /v1/asks"+name, h) }
	post("/answer", handleJSON(func(ctx context.Context, a keeperclient.RequestAnswer) (any, error) {
		a.Reply.Code = a.Code
		return nil, k.enforcer.Reply(ctx, a.ID, a.Reply)
	}))
	post("/seen", handleJSON(func(_ context.Context, s keeperclient.RequestSeen) (any, error) {
		return nil, k.enforcer.MarkSeen(s.ID, s.Working)
	}))
	post("/withdraw", handleJSON(func(_ context.Context, s keeperclient.RequestSeen) (any, error) {
		return k.enforcer.Withdraw(s.ID, nil)
	}))
	post("/key", handleJSON(func(_ context.Context, a keeperclient.RequestKey) (any, error) {
		return nil, k.enforcer.CheckKey(a.ID, a.Key)
	}))
	post("", handleJSON(k.createRequest))
	routes.HandleFunc("GET /v1/asks", k.awaitRequest)
}

// requestURL returns the address of the page of a request; "" while no app is running.
func (k *keeper) requestURL(name, key string) string {
	var app struct {
		Port int `json:"api_port"`
	}
	raw, err := os.ReadFile(k.spec.Dir.Home().AppFile())
	if err != nil || json.Unmarshal(raw, &app) != nil || app.Port == 0 {
		return ""
	}
	return "http://127.0.0.1:" + strconv.Itoa(app.Port) + "/ask/" + name + "#" + key
}

// awaitRequest answers with a request when it has ended, or as it is after the wait.
func (k *keeper) awaitRequest(w http.ResponseWriter, r *http.Request) {
	wait, _ := strconv.Atoi(r.URL.Query().Get("wait"))
	limit := time.Duration(wait) * time.Millisecond
	got, err := k.enforcer.Await(r.Context(), r.URL.Query().Get("id"), nil, limit)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(got)
}

// createRequest asks the person for something on behalf of a program that speaks to the app.
func (k *keeper) createRequest(ctx context.Context, in keeperclient.NewRequest) (any, error) {
	r := policy.Request{
		Kind: in.Kind, What: k.agents.server.RedactText(in.Message), Options: in.Options, Tab: in.Tab,
		Agent: policy.Agent{Kind: policy.Program, Name: in.Name},
	}
	if err := r.CheckHelp(); err != nil {
		return nil, err
	}
	if err := k.findRequestTab(ctx, &r); err != nil {
		return nil, err
	}
	return k.enforcer.AskPerson(nil, r)
}

// findRequestTab finds the tab that a request is about: the one that it names, or the only one.
func (k *keeper) findRequestTab(ctx context.Context, r *policy.Request) error {
	b, err := k.agents.awaitBrowser(ctx)
	if err != nil {
		return err
	}
	tabs := b.Tabs()
	if r.Tab == "" && len(tabs) == 1 {
		r.Tab = tabs[0].ID()
	}
	for _, t := range tabs {
		if t.ID() == r.Tab {
			r.Page = k.agents.server.RedactText(redact.URL(t.About().URL))
			r.Thumbnail = k.agents.thumbnail(ctx, r.Tab)
			return nil
		}
	}
	if r.Tab != "" {
		return fault.Fieldf("tab", "There is no tab %q.", r.Tab).
			WithHint("Name an open tab by its target id, or leave it out.")
	}
	return nil
}
