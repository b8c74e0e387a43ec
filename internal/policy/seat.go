package policy

import (
	"context"
	"slices"
	"strconv"
	"time"

	"cove/internal/fault"
)

// Seat is one agent's place at the desk.
type Seat struct {
	desk  *Desk
	agent Agent

	// guarded by the desk's mu
	granted []Class
	note    string
	over    bool
	why     error
	ended   chan struct{}
}

// Agent is who sits there.
func (s *Seat) Agent() Agent {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	return s.agent
}

// Rename says who it is, once that is known.
func (s *Seat) Rename(a Agent) {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if s.agent != a {
		s.agent = a
		s.desk.tell()
	}
}

// Ended is closed when the agent must go.
func (s *Seat) Ended() <-chan struct{} { return s.ended }

// Why says why the agent must go; nil while it may stay or when it went by itself.
func (s *Seat) Why() error {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	return s.why
}

// end closes ended; the caller holds the desk's mu.
func (s *Seat) end(why error) {
	if !s.over {
		s.over, s.why = true, why
		close(s.ended)
	}
}

// Leave gives the seat up.
func (s *Seat) Leave() {
	d := s.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.seats[s]; !there {
		return
	}
	delete(d.seats, s)
	if d.driver == s {
		d.driver = nil
	}
	d.requests = slices.DeleteFunc(d.requests, func(r *request) bool { return r.seat == s })
	s.end(nil)
	d.tell()
}

// Note is what the agent should be told with its next answer; once.
func (s *Seat) Note() string {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	note := s.note
	s.note = ""
	return note
}

// Enter begins one step. It waits while the person has taken over or another agent drives, but not for long. acts says that the step
// changes something.
func (s *Seat) Enter(ctx context.Context, acts bool) error {
	d := s.desk
	limit := time.Time{}
	for {
		d.mu.Lock()
		patience, err := d.hinders(s, acts)
		changed := d.changed
		if err == nil {
			if acts && d.book.OneDriver {
				if d.driver != s {
					d.driver = s
					d.tell()
				}
				d.drove = time.Now()
			}
			d.mu.Unlock()
			return nil
		}
		rest := idle - time.Since(d.drove)
		d.mu.Unlock()
		if patience == 0 {
			return err
		}
		if limit.IsZero() {
			limit = time.Now().Add(patience)
		}
		left := time.Until(limit)
		if left <= 0 {
			return err
		}
		if patience == driverLimit && rest > 0 {
			left = min(left, rest)
		}
		t := time.NewTimer(left)
		select {
		case <-changed:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return context.Cause(ctx)
		}
		t.Stop()
	}
}

// hinders says what keeps a step from beginning, and how long it may wait for that to pass; the caller holds mu.
func (d *Desk) hinders(s *Seat, acts bool) (patience time.Duration, err error) {
	if err := d.admits(); err != nil {
		return 0, err
	}
	switch {
	case s.over && s.why != nil:
		return 0, s.why
	case d.taken:
		return takenLimit, errTaken
	case acts && d.book.OneDriver && d.driver != nil && d.driver != s && time.Since(d.drove) < idle:
		return driverLimit, fault.New(fault.Busy, "E_OTHER_DRIVER", "Another agent drives this profile: "+d.driver.agent.String()+". Nothing was done.",
			"Look only, or try again when it has finished.")
	}
	return 0, nil
}

// Allowed asks for a right. Where the policy says "ask" it waits for a person. The error is for the model.
func (s *Seat) Allowed(ctx context.Context, r Request) error {
	d := s.desk
	d.mu.Lock()
	right := d.book.Right(r.Class)
	if right == Yes || (right == Ask && slices.Contains(s.granted, r.Class)) {
		d.mu.Unlock()
		return nil
	}
	if right != Ask {
		d.mu.Unlock()
		return Refused(r.Class)
	}
	before := d.book.Policy
	d.nextID++
	r.ID, r.Agent, r.Asked = strconv.Itoa(d.nextID), s.agent, time.Now().UTC()
	waiting := &request{Request: r, seat: s, answer: make(chan bool, 1)}
	d.requests = append(d.requests, waiting)
	d.tell()
	d.mu.Unlock()
	defer d.withdraw(waiting)
	if r.Elsewhere != nil {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			if yes, ok := r.Elsewhere(ctx); ok {
				_ = d.decide(waiting.ID, yes, false, r.Agent.Name) // somebody else may have been faster
			}
		}()
	}
	t := time.NewTimer(askLimit)
	defer t.Stop()
	select {
	case yes := <-waiting.answer:
		if yes {
			return s.goOn(ctx, r.Class, before)
		}
		return declined(r)
	case <-t.C:
		return fault.New(fault.Denied, "E_NOT_APPROVED", "Nobody has answered in time, so nothing was done: "+r.What+".", "Tell the person that it waits for a yes in Cove's window or with `cove approvals`, then try again.")
	case <-s.ended:
		if why := s.Why(); why != nil {
			return why
		}
		return errCut // it was thrown out, and they may come in again
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// goOn is for a step that has waited for a person's yes: meanwhile they may have taken over, or taken away another right that it needs.
func (s *Seat) goOn(ctx context.Context, c Class, before Policy) error {
	if err := s.Enter(ctx, c != Storage); err != nil {
		return err
	}
	if s.desk.Book().tighter(before) {
		return errTightened
	}
	return nil
}

// Said takes what the person has answered in the agent's own client, which they have allowed to ask them.
func (s *Seat) Said(r Request, yes bool) error {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	r.Agent = s.agent
	s.desk.decided(r, yes, false, s.agent.Name)
	if yes {
		return nil
	}
	return declined(r)
}

func declined(r Request) error {
	return fault.New(fault.Denied, "E_REFUSED", "The person has refused: "+r.What+". Nothing was done.", "Do not try it another way; go on without it or ask the person what to do.")
}

// Needs reports whether a step of the class must wait for a person: then it is worth a picture.
func (s *Seat) Needs(c Class) bool {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	return s.desk.book.Right(c) == Ask && !slices.Contains(s.granted, c)
}

func (d *Desk) withdraw(r *request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.requests, r); i >= 0 {
		d.requests = slices.Delete(d.requests, i, i+1)
		d.tell()
	}
}

// Refused is the answer to a step whose right the policy does not give.
func Refused(c Class) *fault.Error {
	hint := "Go on without it, or ask the person to change what agents may do here."
	if c == Clipboard {
		hint = "Write the text itself, with fill or type_text (programs: Input.insertText), or ask the person to change what agents may do here."
	}
	return fault.New(fault.Denied, "E_POLICY", "Agents may not "+Says[c]+" in this profile: its policy says no. Nothing was done.", hint)
}
