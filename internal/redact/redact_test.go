package redact

import "testing"

func TestPasswordsAreRedacted(t *testing.T) {
	const disposition = "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
	for _, one := range []struct{ in, want string }{
		{"user=me&password=x%20y&b=2", "user=me&password=<redacted>&b=2"},
		{"new_password=a&passwordConfirmation=b", "new_password=<redacted>&passwordConfirmation=<redacted>"},
		{`{"user":"me","pwd" : "a\"b","n":{"cvc":123}}`, `{"user":"me","pwd" : "<redacted>","n":{"cvc":"<redacted>"}}`},
		{disposition + "hunter2\r\n--x--", disposition + "<redacted>\r\n--x--"},
		{"q=passwords&compass=1", "q=passwords&compass=1"},
		{"user[password]=x&passwordless=", "user[password]=<redacted>&passwordless="},
	} {
		if got := Body(one.in); got != one.want {
			t.Errorf("%q: %q, not %q", one.in, got, one.want)
		}
	}

	for in, want := range map[string]string{
		"https://a.test/?pass=1#x": "https://a.test/?pass=<redacted>#x",
		"https://me:pw@a.test/":    "https://me:<redacted>@a.test/",
		"https://a.test/a?b=c":     "https://a.test/a?b=c",
	} {
		if got := URL(in); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

func TestHeadersWithCredentialsAreRedacted(t *testing.T) {
	for _, one := range []struct{ name, value, want string }{
		{"cookie", "a=b", Mark},
		{"authorization", "Bearer x", Mark},
		{"location", "https://a.test/?password=x", "https://a.test/?password=<redacted>"},
		{"accept", "*/*", "*/*"},
	} {
		if got := Header(one.name, one.value); got != one.want {
			t.Errorf("%s: %q, not %q", one.name, got, one.want)
		}
	}
}
