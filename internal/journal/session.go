package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"cove/internal/policy"
	"cove/internal/step"
)

// Session is what one agent did between connecting and disconnecting.
type Session struct {
	Name  string
	Agent policy.Agent
	// First and Last are the times of its first and last entry, FirstSeq and LastSeq their numbers.
	First, Last       time.Time
	FirstSeq, LastSeq int64
	// Steps is how many calls and commands there were: Acts of them changed something, Reads only looked. Failed and
	// Refused are how many did not succeed. Answers is how often the person decided about one.
	Steps, Acts, Reads, Failed, Refused, Answers int
}

// oldSession begins the names of sessions of rows from versions that did not record sessions.
const oldSession = "old-"

// SessionName returns the session that a row belongs to. Rows of older versions do not say, so all rows of an agent of
// the same name, version and process count as one. A row about no agent has none.
func (r Row) SessionName() string {
	if r.Session != "" || r.Agent.Kind == Keeper {
		return r.Session
	}
	a := r.Agent
	sum := sha256.Sum256([]byte(string(a.Kind) + "\n" + a.Name + "\n" + a.Version + "\n" + strconv.Itoa(a.PID)))
	return oldSession + hex.EncodeToString(sum[:4])
}

// Sessions returns the sessions of a journal, the one with the newest entry first.
func Sessions(l Location) ([]Session, error) {
	numbers, err := l.retained()
	if err != nil {
		return nil, err
	}
	byName := map[string]*Session{}
	for _, n := range numbers {
		err := l.eachIn(n, func(_ []byte, r Row) bool {
			name := r.SessionName()
			if name == "" {
				return true
			}
			if byName[name] == nil {
				byName[name] = &Session{Name: name, First: r.Time, FirstSeq: r.Seq}
			}
			byName[name].add(r)
			return true
		})
		if err != nil {
			return nil, err
		}
	}

	out := make([]Session, 0, len(byName))
	for _, one := range byName {
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b Session) int { return int(b.LastSeq - a.LastSeq) })
	return out, nil
}

// answers are the events by which a person answers an agent.
var answers = map[string]bool{"allowed": true, "refused": true, "answered": true}

// add counts a row of the session.
func (s *Session) add(r Row) {
	s.LastSeq = r.Seq
	if r.Time.Before(s.First) {
		s.First = r.Time
	}
	if r.Time.After(s.Last) {
		s.Last = r.Time
	}
	if r.Agent.Kind == Keeper {
		if answers[r.Name] {
			s.Answers++
		}
		return
	}

	s.Agent = r.Agent // the last one: at first it may not be known who a program is
	switch r.Words().Kind {
	case step.Act:
		s.Acts++
	case step.Read:
		s.Reads++
	default:
		return
	}
	s.Steps = s.Acts + s.Reads
	switch r.Outcome {
	case Failed:
		s.Failed++
	case Refused:
		s.Refused++
	}
}
