package api

import (
	"encoding/json"
	"slices"
	"testing"
)

// readsAs decodes each text into a T and compares it with what is wanted; a text that maps to nil is refused.
func readsAs[T any](t *testing.T, equal func(a, b T) bool, cases map[string]*T) {
	t.Helper()
	for raw, want := range cases {
		var got T
		err := json.Unmarshal([]byte(raw), &got)
		switch {
		case want == nil && err == nil:
			t.Errorf("%s is read as %v and should be refused", raw, got)
		case want != nil && (err != nil || !equal(got, *want)):
			t.Errorf("%s: got %v (%v), want %v", raw, got, err, *want)
		}
	}
}

func same[T comparable](a, b T) bool { return a == b }

func TestNumbersAndFlagsMayBeTexts(t *testing.T) {
	readsAs(t, same[Number], map[string]*Number{"8080": new(Number(8080)), `"8080"`: new(Number(8080)),
		`" 5 "`: new(Number(5)), `""`: new(Number(0)), `"-1"`: new(Number(-1)), "1.5": nil,
		`"x"`: nil, "[1]": nil, "true": nil, "99999999999999999999": nil})
	readsAs(t, same[Flag], map[string]*Flag{"true": new(Flag(true)), `"True"`: new(Flag(true)),
		`"1"`: new(Flag(true)), "1": new(Flag(true)), `"0"`: new(Flag(false)), `"False"`: new(Flag(false)),
		"null": new(Flag(false)), `""`: new(Flag(false)), `"maybe"`: nil, "2": nil, "[]": nil, "{}": nil})
	readsAs(t, same[Size], map[string]*Size{`{"width":"800","height":600}`: {800, 600}, `{}`: {}, `{"width":null}`: {},
		`{"width":"wide"}`: nil, `"800x600"`: nil, `[800,600]`: nil})
	readsAs(t, same[ProfileID], map[string]*ProfileID{"7": new(ProfileID(7)), `"7"`: new(ProfileID(7)), "7.0": nil,
		`"07"`: nil, `"x"`: nil, `""`: nil, "2147483648": nil, `"2147483648"`: nil, "[7]": nil, `"\u0037"`: nil})
}

func TestListsOfClients(t *testing.T) {
	readsAs(t, slices.Equal[Strings], map[string]*Strings{`["a","b"]`: {"a", "b"}, `"a"`: {"a"}, `""`: {}, `[]`: {},
		`["--x",5,1.50]`: {"--x", "5", "1.50"}, `7`: {"7"}, `[null]`: nil, `[["a"]]`: nil, `{"0":"a"}`: nil,
		`[true]`: nil, `true`: nil})
	readsAs(t, slices.Equal[IDList], map[string]*IDList{`[1,2]`: {1, 2}, `["1",2]`: {1, 2}, `1`: {1}, `"1"`: {1},
		`"1, 2"`: {1, 2}, `[]`: {}, `[0]`: nil, `["x"]`: nil, `[1.5]`: nil, `"1,"`: nil, `[[1]]`: nil, `[-1]`: nil,
		`[2147483648]`: nil, `{"0":1}`: nil})
}

func TestTheFieldsBesideAnIDAreComparedByWhatTheyMean(t *testing.T) {
	for _, c := range []struct {
		sent   string
		stored Proxy
		want   string
	}{
		{`{"id":7,"type":"SOCKS4A","host":"H.example","port":"1","user":"u"}`,
			Proxy{Type: "socks4", Host: "h.example", Port: 1, Login: "u"}, ""},
		{`{"id":7,"type":"socks5h"}`, Proxy{Type: "socks5", Host: "h.example", Port: 1}, ""},
		{`{"id":7,"type":"socks"}`, Proxy{Type: "socks5", Host: "h.example", Port: 1}, ""},
		{`{"id":7,"type":"socks4a"}`, Proxy{Type: "socks5", Host: "h.example", Port: 1}, "type"},
		{`{"id":7,"host":"[2001:db8::1]"}`, Proxy{Type: "http", Host: "2001:db8::1", Port: 1}, ""},
		{`{"id":7,"type":"none"}`, Proxy{Type: "http", Host: "h.example", Port: 1}, "type"},
		{`{"id":7,"login":"U"}`, Proxy{Type: "http", Host: "h.example", Port: 1, Login: "u"}, "login"},
		{`{"id":7,"password":" p"}`, Proxy{Type: "http", Host: "h.example", Port: 1, Password: "p"}, "password"},
	} {
		var p LooseProxy
		if err := json.Unmarshal([]byte(c.sent), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.Disagrees(c.stored); got != c.want {
			t.Errorf("%s: got %q, want %q", c.sent, got, c.want)
		}
	}
}
