package redact

import "testing"

func TestBodiesAndAddressesAreRedacted(t *testing.T) {
	for in, want := range map[string]string{
		"user=me&password=x%20y&b=2":                                                       "user=me&password=<redacted>&b=2",
		"new_password=a&passwordConfirmation=b":                                            "new_password=<redacted>&passwordConfirmation=<redacted>",
		`{"user":"me","pwd" : "a\"b","n":{"cvc":123}}`:                                     `{"user":"me","pwd" : "<redacted>","n":{"cvc":"<redacted>"}}`,
		"--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--x--": "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n<redacted>\r\n--x--",
		"q=passwords&compass=1":                                                            "q=passwords&compass=1",
		"user[password]=x&passwordless=":                                                   "user[password]=<redacted>&passwordless=",
	} {
		if got := Body(in); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"https://a.test/?pass=1#x": "https://a.test/?pass=<redacted>#x", "https://me:pw@a.test/": "https://me:<redacted>@a.test/", "https://a.test/a?b=c": "https://a.test/a?b=c",
	} {
		if got := URL(in); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}
