//go:build e2e

package policy

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"cove/api"
	"cove/e2e/harness"
)

// elicited is the only question in an answer to a client of 2026-07-28, and reply makes the client's call with what its
// person said to it.
func elicited(t *testing.T, r map[string]any) (question map[string]any, reply func(harness.Object) harness.Object) {
	t.Helper()
	asked, _ := r["inputRequests"].(map[string]any)
	if r["resultType"] != "input_required" || len(asked) != 1 {
		t.Fatalf("nobody is asked: %v", r)
	}
	for id, one := range asked {
		question, _ = harness.Member(one, "params").(map[string]any)
		reply = func(said harness.Object) harness.Object {
			return harness.Object{"inputResponses": harness.Object{id: said}, "requestState": r["requestState"]}
		}
	}
	return question, reply
}

func TestAnAllowedClientOf2026AsksThePersonInItsAnswer(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded", "--answerer", "e2e")
	form := harness.Object{"elicitation": harness.Object{"form": harness.Object{}}}
	page := harness.Object{"elicitation": harness.Object{"form": harness.Object{}, "url": harness.Object{}}}
	accept := func(text string) harness.Object {
		return harness.Object{"action": "accept", "content": harness.Object{"answer": text}}
	}
	choose := harness.Object{"kind": "choose", "message": "Which size?", "options": []string{"M", "L"}}
	text := harness.Object{"kind": "text", "message": "Which month?"}
	for name, c := range map[string]struct {
		can, ask harness.Object
		requests func(question map[string]any) bool
		person   func(id string, question map[string]any) // answers elsewhere, before the client replies
		said     harness.Object
		told     string
	}{
		"a text in a form": {form, text, func(q map[string]any) bool {
			return harness.Member(q, "requestedSchema", "properties", "answer") != nil && q["url"] == nil
		}, nil, accept("May"), "The user answered: May"},
		"a choice in a form": {form, choose, func(q map[string]any) bool {
			return harness.Member(q, "requestedSchema", "properties", "answer", "enum") != nil
		}, nil, accept("L"), "The user chose: L"},
		"in the window, while the client asks": {form, text, nil, func(id string, _ map[string]any) {
			answerRequest(t, a, id, `{"text":"In June"}`)
		}, harness.Object{"action": "cancel"}, "The user answered: In June"},
		"on the page of the request": {page, text, func(q map[string]any) bool {
			address, _ := q["url"].(string)
			return q["mode"] == "url" && strings.HasPrefix(address, a.Base+"/ask/")
		}, func(id string, q map[string]any) {
			_, key, _ := strings.Cut(q["url"].(string), "#")
			r := a.Raw(http.MethodPost, "/v1.0/asks/"+id, `{"text":"In July"}`, "Cove-Ask", key, "Origin", a.Base,
				"Content-Type", "application/json")
			if r.Status != http.StatusOK {
				t.Error(r.Raw)
			}
		}, harness.Object{"action": "accept"}, "The user answered: In July"},
	} {
		t.Run(name, func(t *testing.T) {
			m := a.Bridge("1")
			_, r := m.Modern(c.can, "ask_person", c.ask, nil)
			question, reply := elicited(t, r)
			if question["message"] != c.ask["message"] || c.requests != nil && !c.requests(question) {
				t.Errorf("the client is asked %v", question)
			}
			ask := openRequest(t, a)
			if c.person != nil {
				c.person(ask.ID, question)
			}
			if told, _ := m.Modern(c.can, "ask_person", c.ask, reply(c.said)); !strings.Contains(told, c.told) {
				t.Errorf("told: %s", told)
			}
			if !harness.Poll(harness.Patience, func() bool { // the app hears of it from the keeper
				ended := allRequests(t, a).History
				return slices.ContainsFunc(ended, func(one api.Request) bool { return one.ID == ask.ID })
			}) {
				t.Errorf("the requests are %+v", allRequests(t, a))
			}
		})
	}
}

// What a client asks in its answer is a request like any other: the person can also answer it in the window.
func TestAStepOfAClientOf2026CanBeAnsweredInTheWindow(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded", "--answerer", "e2e")
	m, can := a.Bridge("1"), harness.Object{"elicitation": harness.Object{"form": harness.Object{}}}
	m.Modern(can, "navigate_page", harness.Object{"url": web.URL + "/pay"}, nil)
	text, _ := m.Modern(can, "take_snapshot", harness.Object{}, nil)
	pay := harness.Object{"uid": harness.UIDOf(text, `button "Pay now"`)}

	_, r := m.Modern(can, "click", pay, nil)
	_, reply := elicited(t, r)
	ask := openRequest(t, a)
	if ask.Kind != "approve" || len(ask.Picture) == 0 {
		t.Errorf("the request is %+v", ask)
	}
	if _, r := m.Modern(can, "click", pay, nil); openRequest(t, a).ID != ask.ID { // its client has given up
		t.Errorf("the repeated call made a request of its own: %v", r)
	}
	a.Must("asks", "allow", ask.ID)
	cancel := reply(harness.Object{"action": "cancel"})
	if text, r := m.Modern(can, "click", pay, cancel); r["isError"] == true || len(web.got()) != 1 {
		t.Errorf("told: %s, sent: %v", text, web.got())
	}

	// A yes is good for one step.
	m.Modern(can, "navigate_page", harness.Object{"url": web.URL + "/pay"}, nil)
	text, _ = m.Modern(can, "take_snapshot", harness.Object{}, nil)
	pay = harness.Object{"uid": harness.UIDOf(text, `button "Pay now"`)}
	_, r = m.Modern(can, "click", pay, reply(harness.Object{"action": "accept", "content": harness.Object{}}))
	if elicited(t, r); len(web.got()) != 1 || openRequest(t, a).ID == ask.ID {
		t.Errorf("sent with the answer to another request: %v", web.got())
	}
}
