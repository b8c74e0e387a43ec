package adspower

import (
	"errors"
	"strings"
	"testing"

	"cove/internal/cookie"
	"cove/internal/policy"
	"cove/internal/profile"
)

func TestCookiesComeIn(t *testing.T) {
	want := cookie.Cookie{Domain: "a.example", Path: "/", Name: "n", Value: "v", Expires: 4102444800}
	for name, sent := range map[string]string{
		"as a JSON text":     `"[{\"domain\":\".a.example\",\"expirationDate\":4102444800,\"name\":\"n\",\"value\":\"v\"}]"`,
		"as an array":        `[{"domain":".a.example","expirationDate":"4102444800","name":"n","value":"v"}]`,
		"in Netscape's form": `".a.example\tTRUE\t/\tFALSE\t4102444800\tn\tv"`,
		"with a bad one that is dropped": `[{"name":"x"},{"domain":".a.example","expirationDate":4102444800,"name":"n",` +
			`"value":"v"}],"ignore_cookie_error":"1"`,
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.want("POST", "/api/v2/browser-profile/create", `{"name":"one","cookie":`+sent+`}`,
				ok+`{"profile_id":"1","profile_no":"1"}}`)
			o.add(profile.Profile{Name: "two"})
			o.want("POST", "/api/v1/user/update", `{"user_id":"2","cookie":`+sent+`}`, ok+`{"id":"2"}}`)
			for id := range profile.ID(2) {
				if got := o.jar.data[id+1].Cookies; len(got) != 1 || got[0] != want {
					t.Errorf("profile %d has %+v", id+1, got)
				}
			}
		})
	}
}

func TestAProfileIsNotMadeWithoutItsCookies(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one", Notes: "n"})
	o.jar.fail = errors.New("the browser is gone")
	const cookies = `"cookie":[{"domain":".a.example","name":"n","value":"v"}]`
	o.refused("POST", "/api/v1/user/create", `{"name":"x",`+cookies+`}`, "the browser is gone")
	o.refused("POST", "/api/v1/user/update", `{"user_id":"1","remark":"x",`+cookies+`}`, "the browser is gone")
}

// A profile that gets rules while its cookies are written is judged by them. The cookies stay, and the answer says so.
func TestAnUpdateThatIsRefusedAfterItsCookiesSaysSo(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one"})
	o.jar.meanwhile = func() {
		_, err := o.db.Profiles().Update(t.Context(), 1, func(p *profile.Profile) error {
			p.Policy = policy.Policy{Preset: policy.Guarded}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	const body = `{"user_id":"1","name":"two","launch_args":["--mute-audio"],"cookie":` +
		`[{"domain":".a.example","name":"n","value":"v"}]}`
	got := o.call("POST", "/api/v1/user/update", body)
	if !strings.HasPrefix(got, `{"code":-1,`) || !strings.Contains(got, "The cookies were imported already.") {
		t.Errorf("it answers %s", got)
	}
	if p := o.profile(1); p.Name != "one" || len(p.Args) > 0 {
		t.Errorf("the profile is %+v", p)
	}
}

func TestCookiesGoOut(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one"})
	o.add(profile.Profile{Name: "ruled", Policy: policy.Policy{Preset: policy.Guarded}})
	o.jar.data[1] = cookie.Data{Cookies: []cookie.Cookie{{Domain: "a.example", Path: "/", Name: "n", Value: "v",
		Secure: true, SameSite: cookie.Lax, Expires: 4102444800}}}
	o.jar.data[2] = o.jar.data[1]
	const answer = ok + `{"cookies":"[{\"name\":\"n\",\"value\":\"v\",\"domain\":\".a.example\",\"path\":\"/\",` +
		`\"expires\":4102444800,\"size\":2,\"httpOnly\":false,\"secure\":true,\"session\":false,\"sameSite\":\"Lax\"}]"}}`
	o.want("GET", "/api/v2/browser-profile/cookies?profile_id=1", "", answer)
	o.want("POST", "/api/v2/browser-profile/cookies", `{"profile_no":"1"}`, answer)
	o.refused("GET", "/api/v2/browser-profile/cookies?profile_id=9", "", "There is no profile 9")
	o.refused("GET", "/api/v2/browser-profile/cookies", "", "id of one profile")
	o.refused("GET", "/api/v2/browser-profile/cookies?profile_id=2", "", "Only the user can export")

	o.computer.keyOff = true
	if _, got := o.send("GET", "/api/v2/browser-profile/cookies?profile_id=1", ""); got != answer {
		t.Errorf("without a key: %s", got)
	}
	if _, got := o.send("GET", "/api/v2/browser-profile/cookies?profile_id=2", ""); firstWords(got) != "key" {
		t.Errorf("of a profile with rules, without a key: %s", got)
	}
	if _, got := o.send("GET", "/api/v2/browser-profile/cookies?profile_id=2", "", "api-key", ownersToken); got != answer {
		t.Errorf("the person gets %s", got)
	}
	if answer := o.call("POST", "/api/v1/user/update", `{"user_id":"2","cookie":[{"domain":".b.example","name":"n",`+
		`"value":"v"}]}`); !strings.HasPrefix(answer, ok) {
		t.Errorf("cookies for a profile with rules, with a key: %s", answer)
	}
}
