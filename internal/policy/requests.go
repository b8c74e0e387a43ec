package policy

import (
	"slices"
	"time"

	"cove/internal/fault"
)

// requests are the requests of a profile's agents to the person. All of it is guarded by the enforcer's mu.
type requests struct {
	open  []*request // the oldest first
	ended []*request // the newest last
}

// maxEnded is how many requests that have ended are remembered.
const maxEnded = 50

// end moves a request to those that have ended.
func (rs *requests) end(r *request) {
	rs.open = slices.DeleteFunc(rs.open, func(other *request) bool { return other == r })
	rs.ended = append(rs.ended, r)
	rs.ended = rs.ended[max(0, len(rs.ended)-maxEnded):]
}

// voidAnswers forgets the approvals of some requests, heard or not.
func (rs *requests) voidAnswers(of func(*request) bool) {
	for _, r := range rs.ended {
		if r.Kind == AskApproval && of(r) {
			r.undelivered, r.void = false, true
		}
	}
}

// find returns a request by its id, open or not.
func (rs *requests) find(id string) (*request, error) {
	for _, all := range [][]*request{rs.open, rs.ended} {
		if i := slices.IndexFunc(all, func(r *request) bool { return r.ID == id }); i >= 0 {
			return all[i], nil
		}
	}
	return nil, noRequest()
}

// meets returns the request that asks for the same as r: one that is open, or one that was answered a moment ago and
// whose agent has not heard the answer. a is the admission of the agent. It returns nil for none.
func (rs *requests) meets(r *Request, a *Admission) *request {
	for _, open := range rs.open {
		if open.same(r) {
			return open
		}
	}
	for _, ended := range slices.Backward(rs.ended) {
		own := !ended.given || ended.admission == a // a session after that one asks for itself
		here := !ended.acted || ended.Page == r.Page
		if ended.undelivered && own && here && time.Since(ended.Ended) < answerLife && ended.same(r) {
			return ended
		}
	}
	return nil
}

// hear notes that an agent has heard the answers which its calls were given: it does something else.
func (rs *requests) hear(a *Admission) {
	if a == nil {
		return
	}
	a.gaveUp = false
	for _, r := range rs.ended {
		if r.given && r.admission == a {
			r.undelivered, r.given = false, false
		}
	}
}

// act notes that an agent acts. What the person has done in the page before is worth nothing to a question after it.
// An answer in words still answers the same question, on the same page.
func (rs *requests) act(a *Admission) {
	for _, r := range slices.Concat(rs.open, rs.ended) {
		own := r.admission == a || (r.admission != nil && r.admission.ended && a.isAsker(r))
		if !own || r.Kind == AskApproval {
			continue
		}
		r.acted = true
		if r.Kind == AskHelp || r.Kind == AskCode {
			r.undelivered = false
		}
	}
}

// noRequest is the answer to an id that names no request, or one that has ended.
func noRequest() error {
	return fault.New(fault.CodeNoRequest, "This request is no longer pending.", "`cove asks` lists pending requests.")
}
