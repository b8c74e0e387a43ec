package agents

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/policy"
	"cove/internal/profile"
)

// Requests answers GET /asks: the requests of agents in every profile.
func (h *Handlers) Requests(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	return h.Access.Requests(), nil
}

// Request answers GET /asks/{name}.
func (h *Handlers) Request(c *call.Call) (any, error) {
	if c.RequestKey() != "" {
		return h.requestByKey(c)
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	one, _, err := h.findRequest(c)
	if err != nil {
		return nil, err
	}
	return api.RequestData{Data: one}, nil
}

// requestByKey answers the page of one request, which has the request's key.
func (h *Handlers) requestByKey(c *call.Call) (any, error) {
	one, _, err := h.answerable(c)
	if err != nil {
		return nil, err
	}
	return api.RequestData{Data: one}, nil
}

// answerable returns the request that the path names, if the caller can answer it: the person, or the page of a request
// for help, which has its key. A key never approves anything.
func (h *Handlers) answerable(c *call.Call) (one api.Request, request string, err error) {
	key := c.RequestKey()
	if key == "" {
		if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
			return one, "", err
		}
		return h.findRequest(c)
	}
	if one, request, err = h.findRequest(c); err != nil {
		return one, "", err
	}
	if one.Kind == string(policy.AskApproval) {
		return one, "", c.RequireCredential()
	}
	return one, request, h.Access.CheckRequestKey(c.Context(), one.Profile, request, key)
}

// findRequest finds the request that the path names.
func (h *Handlers) findRequest(c *call.Call) (one api.Request, request string, err error) {
	text, request, _ := strings.Cut(c.Name, "-")
	id, err := profile.ParseID(text)
	if err == nil && request != "" {
		if one, ok := h.Access.FindRequest(c.Context(), id, request); ok {
			return one, request, nil
		}
	}
	return one, "", fault.New(fault.CodeNoRequest, "There is no request "+strconv.Quote(c.Name)+".",
		"`cove asks` lists pending requests.")
}

// Answer answers POST /asks/{name}. Only the person can answer a request. An approval needs the PIN.
func (h *Handlers) Answer(c *call.Call) (any, error) {
	var in api.Answer
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := checkAnswer(in); err != nil {
		return nil, err
	}
	one, request, err := h.answerable(c)
	if err != nil {
		return nil, err
	}
	if in.Allow != nil && *in.Allow {
		if err := c.Confirm(); err != nil {
			return nil, err
		}
	}
	c.AllowTime()
	if err := h.Access.Answer(c.Context(), one.Profile, request, "person", in); err != nil {
		return nil, err
	}
	if in.Allow != nil && *in.Allow && in.Scope == string(policy.OnSite) {
		if err := h.allowOnSite(c, one); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, nil
}

// allowOnSite makes an approval a rule of the profile's policy.
func (h *Handlers) allowOnSite(c *call.Call, one api.Request) error {
	_, err := h.Profiles.Update(c.Context(), one.Profile, func(p *profile.Profile) error {
		p.Policy = p.Policy.AllowOn(one.Rule, policy.Class(one.Class))
		return p.Policy.Clean()
	})
	if err != nil {
		return err
	}
	return h.Access.Apply(c.Context(), one.Profile)
}

// maxAnswer is how many characters a note, a text and a code can have.
const maxAnswer = 4000

// checkAnswer refuses an answer that says nothing, or two things.
func checkAnswer(in api.Answer) error {
	said := 0
	for _, one := range []bool{
		in.Allow != nil, in.Done, in.Decline, in.Choose != "", in.Text != "", in.Code != "",
	} {
		if one {
			said++
		}
	}
	if said != 1 {
		return fault.Invalidf("The request needs one answer.").
			WithHint("Send one of allow, done, decline, choose, text and code.")
	}
	if in.Scope != "" && !slices.Contains([]policy.Scope{policy.Once, policy.Session, policy.OnSite},
		policy.Scope(in.Scope)) {
		return fault.Fieldf("scope", "There is no scope %q.", in.Scope).WithHint("Use once, session or site.")
	}
	for name, text := range map[string]string{"note": in.Note, "text": in.Text, "code": in.Code} {
		if len([]rune(text)) > maxAnswer {
			return fault.Fieldf(name, "The answer is too long.").
				WithHint("Use at most " + strconv.Itoa(maxAnswer) + " characters.")
		}
	}
	return nil
}

// Seen answers POST /asks/{name}/seen.
func (h *Handlers) Seen(c *call.Call) (any, error) {
	var in api.RequestSeen
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	one, request, err := h.answerable(c)
	if err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Access.MarkSeen(c.Context(), one.Profile, request, in.Working)
}

// ProfileRequests answers GET /browser_profiles/{id}/asks.
func (h *Handlers) ProfileRequests(c *call.Call) (any, error) {
	if err := h.checkProgram(c); err != nil {
		return nil, err
	}
	all := h.Access.Requests()
	others := func(a api.Request) bool { return a.Profile != c.ID }
	all.Data, all.History = slices.DeleteFunc(all.Data, others), slices.DeleteFunc(all.History, others)
	return all, nil
}

// checkProgram refuses a program without a credential, and an unknown profile.
func (h *Handlers) checkProgram(c *call.Call) error {
	return call.First(c.RequireCredential, c.RequireLogin, func() error {
		_, err := h.Profiles.Get(c.Context(), c.ID)
		return err
	})
}

// CreateRequest answers POST /browser_profiles/{id}/asks: a program asks the person for something.
func (h *Handlers) CreateRequest(c *call.Call) (any, error) {
	var in api.NewRequest
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if in.Kind == string(policy.AskCode) {
		return nil, fault.Fieldf("kind", "A program cannot ask for a code.").
			WithHint("Use the kind text, and type the answer yourself.")
	}
	r := policy.Request{
		Kind: cmp.Or(policy.RequestKind(in.Kind), policy.AskHelp), What: in.Message, Options: in.Options,
	}
	if err := r.CheckHelp(); err != nil {
		return nil, err
	}
	if len([]rune(in.Name)) > 100 {
		return nil, fault.Fieldf("name", "The name must have at most 100 characters.")
	}
	if err := h.checkProgram(c); err != nil {
		return nil, err
	}
	one, err := h.Access.CreateRequest(c.Context(), c.ID, in)
	if err != nil {
		return nil, err
	}
	return api.RequestData{Data: one}, nil
}

// maxWait is how many seconds a program can wait for an answer in one call.
const maxWait = 1800

// AwaitRequest answers GET /browser_profiles/{id}/asks/{name}. With wait it answers when the request has ended.
func (h *Handlers) AwaitRequest(c *call.Call) (any, error) {
	seconds, err := c.Number("wait", 0)
	if err != nil {
		return nil, err
	}
	if seconds < 0 || seconds > maxWait {
		return nil, fault.Fieldf("wait", "\"wait\" must be a number of seconds from 0 to %d.", maxWait)
	}
	request, err := h.requestOf(c)
	if err != nil {
		return nil, err
	}
	c.LiftLimits()
	one, err := h.Access.AwaitRequest(c.Context(), c.ID, request, time.Duration(seconds)*time.Second)
	if err != nil {
		return nil, err
	}
	return api.RequestData{Data: one}, nil
}

// WithdrawRequest answers DELETE /browser_profiles/{id}/asks/{name}.
func (h *Handlers) WithdrawRequest(c *call.Call) (any, error) {
	request, err := h.requestOf(c)
	if err != nil {
		return nil, err
	}
	one, err := h.Access.WithdrawRequest(c.Context(), c.ID, request)
	if err != nil {
		return nil, err
	}
	return api.RequestData{Data: one}, nil
}

// requestOf reads which request of the profile a program means.
func (h *Handlers) requestOf(c *call.Call) (string, error) {
	if err := h.checkProgram(c); err != nil {
		return "", err
	}
	text, request, _ := strings.Cut(c.Name, "-")
	if text != c.ID.String() || request == "" {
		return "", fault.New(fault.CodeNoRequest, "There is no request "+strconv.Quote(c.Name)+" in this profile.",
			http.MethodGet+" /v1.0/browser_profiles/"+c.ID.String()+"/asks lists its requests.")
	}
	return request, nil
}
