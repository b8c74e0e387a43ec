package jar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"cove/internal/cdp"
	"cove/internal/cookie"
	"cove/internal/fault"
)

// store is a browser's cookies. It refuses those of one domain, and drops the oldest when it has too many.
type store struct {
	list    []wireCookie
	refuses string // without a word
	errs    string // with an error
	room    int
}

func (s *store) CallOn(_ context.Context, _, method string, params, result any) error {
	if method == "Storage.getCookies" {
		raw, err := json.Marshal(map[string]any{"cookies": s.list})
		if err != nil {
			return err
		}
		return json.Unmarshal(raw, result)
	}
	sent := params.(map[string]any)["cookies"].([]wireCookie)
	if slices.ContainsFunc(sent, func(c wireCookie) bool { return c.Domain == s.errs && s.errs != "" }) {
		return &cdp.Error{Message: "Invalid cookie fields"}
	}
	for _, c := range sent {
		s.set(c)
	}
	return nil
}

func (s *store) set(c wireCookie) {
	if c.Domain == s.refuses && s.refuses != "" {
		return
	}
	s.list = slices.DeleteFunc(s.list, func(old wireCookie) bool {
		return old.Domain == c.Domain && old.Name == c.Name
	})
	if c.Expires == 1 {
		return
	}
	c.Session = c.Expires == 0
	s.list = append(s.list, c)
	if s.room > 0 && len(s.list) > s.room {
		s.list = s.list[len(s.list)-s.room:]
	}
}

func (s *store) has() (all []string) {
	for _, c := range s.list {
		all = append(all, c.Domain+" "+c.Name+"="+c.Value)
	}
	slices.Sort(all)
	return all
}

func of(domain, value string, n int) (list []cookie.Cookie) {
	for i := range n {
		list = append(list, cookie.Cookie{Domain: domain, Path: "/", Name: fmt.Sprintf("n%d", i), Value: value})
	}
	return list
}

func TestSetCookiesSetsAllOrNone(t *testing.T) {
	for name, c := range map[string]struct {
		store     store
		list      []cookie.Cookie
		exclusive bool
		ok        bool
	}{
		"all of them":            {store{}, of("new.example", "2", 1200), true, true},
		"in place of others":     {store{}, of("old.example", "2", 3), true, true},
		"one refused in silence": {store{refuses: ".bad.example"}, append(of("old.example", "2", 3), of("bad.example", "2", 1)...), true, false},
		"the same while it is open": {store{refuses: ".bad.example"},
			append(of("old.example", "2", 3), of("bad.example", "2", 1)...), false, false},
		"one refused with an error": {store{errs: ".bad.example"},
			append(of("new.example", "2", 700), of("bad.example", "2", 1)...), true, false},
		"no room for the old ones": {store{room: 10}, of("new.example", "2", 9), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.store
			for _, old := range of("old.example", "1", 5) {
				s.set(toWire(old))
			}
			before := s.has()
			err := Jar{Browser: &s, Exclusive: c.exclusive}.SetCookies(t.Context(), c.list)
			if c.ok {
				if err != nil {
					t.Fatal(err)
				}
				for _, want := range c.list {
					if !slices.Contains(s.has(), "."+want.Domain+" "+want.Name+"="+want.Value) {
						t.Fatalf("%s is missing", want)
					}
				}
				return
			}
			if fault.KindOf(err) != fault.Unprocessable {
				t.Errorf("it returned %v", err)
			}
			if s.room = 0; !slices.Equal(s.has(), before) {
				t.Errorf("%v became %v", before, s.has())
			}
		})
	}
}
