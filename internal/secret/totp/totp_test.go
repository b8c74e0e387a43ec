package totp_test

import (
	"encoding/base32"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/internal/fault"
	"cove/internal/secret/totp"
)

// TestCodesAreThoseOfTheStandard has the vectors of RFC 6238, appendix B.
func TestCodesAreThoseOfTheStandard(t *testing.T) {
	seed := strings.Repeat("1234567890", 7)
	keys := map[string]string{"SHA1": seed[:20], "SHA256": seed[:32], "SHA512": seed[:64]}
	for _, v := range []struct {
		at                   int64
		sha1, sha256, sha512 string
	}{
		{59, "94287082", "46119246", "90693936"},
		{1111111109, "07081804", "68084774", "25091201"},
		{1111111111, "14050471", "67062674", "99943326"},
		{1234567890, "89005924", "91819424", "93441116"},
		{2000000000, "69279037", "90698825", "38618901"},
		{20000000000, "65353130", "77737706", "47863826"},
	} {
		for algorithm, want := range map[string]string{"SHA1": v.sha1, "SHA256": v.sha256, "SHA512": v.sha512} {
			key := base32.StdEncoding.EncodeToString([]byte(keys[algorithm]))
			s, err := totp.Parse("otpauth://totp/a?digits=8&algorithm=" + algorithm + "&secret=" + key)
			if err != nil || !s.Valid() {
				t.Fatal(err)
			}
			step, left := s.Step(time.Unix(v.at, 0))
			if got := s.Code(step); got != want || left != time.Duration(30-v.at%30)*time.Second {
				t.Errorf("%s at %d: %s, not %s; %v left", algorithm, v.at, got, want, left)
			}
			s.Digits = 6
			if got := s.Code(step); got != want[2:] {
				t.Errorf("six digits: %s, not %s", got, want[2:])
			}
		}
	}
}

func TestACorrectedClockIsInThePeriodOfTheSite(t *testing.T) {
	s := totp.Setup{Key: make([]byte, 20), Algorithm: "SHA1", Digits: 6, Period: 30 * time.Second, Skew: -40 * time.Second}
	if step, left := s.Step(time.Unix(100, 0)); step != 2 || left != 30*time.Second {
		t.Error(step, left)
	}
	s.Skew = 19500 * time.Millisecond
	if step, left := s.Step(time.Unix(100, 0)); step != 3 || left != 500*time.Millisecond {
		t.Error(step, left)
	}
}

const key = "JBSWY3DPEHPK3PXP"

func TestWhatSitesGiveIsRead(t *testing.T) {
	plain := totp.Setup{Algorithm: "SHA1", Digits: 6, Period: 30 * time.Second}
	other := totp.Setup{Algorithm: "SHA256", Digits: 8, Period: time.Minute}
	for text, want := range map[string]totp.Setup{
		key:                             plain,
		"jbsw y3dp ehpk\u00a03pxp\n":    plain,
		"JBSW-Y3DP-EHPK-3PXP":           plain,
		"otpauth://totp/?secret=" + key: plain,
		"otpauth://totp/Acme:ann%40acme.test?secret=jbswy3dpehpk3pxp&issuer=Acme&counter=7":          plain,
		"OTPAUTH://TOTP/a?secret=" + key + "&algorithm=sha1":                                         plain,
		"otpauth://totp/a?secret=" + key + "&algorithm=HmacSHA256&digits=8&period=60&image=https%3A": other,
		"otpauth://totp/a?secret=" + key + "%3D%3D&algorithm=SHA-256&digits=8&period=60":             other,
	} {
		got, err := totp.Parse(text)
		if err != nil || string(got.Key) != "Hello!\xde\xad\xbe\xef" || got.Algorithm != want.Algorithm ||
			got.Digits != want.Digits || got.Period != want.Period || got.Skew != 0 {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestWhatIsNoSetupKeyIsRefusedWithoutQuotingIt(t *testing.T) {
	for text, says := range map[string]string{
		"":                             "16 letters",
		"JBSWY3DP":                     "16 letters",
		"JBSWY3DPEHPK3PX1":             "letters and the digits",
		strings.Repeat("A", 500):       "16 letters",
		"https://totp/a?secret=" + key: "not a setup key",
		"otpauth://hotp/a?secret=" + key + "&counter=1":         "HOTP",
		"otpauth://steam/a?secret=" + key:                       "not supported",
		"otpauth-migration://offline?data=" + key:               "several accounts",
		"otpauth://totp/a":                                      "16 letters",
		"otpauth://totp/a?secret=" + key + "&secret=" + key:     "twice",
		"otpauth://totp/a?secret=" + key + "&algorithm=MD5":     "algorithm",
		"otpauth://totp/a?secret=" + key + "&digits=5":          "6 to 8",
		"otpauth://totp/a?secret=" + key + "&digits=9":          "6 to 8",
		"otpauth://totp/a?secret=" + key + "&digits=six":        "6 to 8",
		"otpauth://totp/a?secret=" + key + "&period=14":         "15 to 60",
		"otpauth://totp/a?secret=" + key + "&period=61":         "15 to 60",
		"otpauth://totp/a?secret=" + key + "&period=9999999999": "15 to 60",
		"otpauth://totp/a?secret=" + key + "%zz":                "not a setup key",
		"otpauth://to tp/a?secret=" + key:                       "not a setup key",
	} {
		_, err := totp.Parse(text)
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		f := fault.From(err)
		if f.Field != "value" || strings.Contains(f.Text+f.Hint+err.Error(), "JBSW") {
			t.Errorf("%s: %+v", text, f)
		}
	}
}

func TestTheFormsOfAKeyAreThoseThatPagesShow(t *testing.T) {
	s, _ := totp.Parse(key)
	forms := s.Forms()
	for _, want := range []string{
		key, "jbswy3dpehpk3pxp", "JBSW Y3DP EHPK 3PXP", "jbsw y3dp ehpk 3pxp", "JBSW-Y3DP-EHPK-3PXP",
		"48656c6c6f21deadbeef", "48656C6C6F21DEADBEEF", "SGVsbG8h3q2+7w", "SGVsbG8h3q2-7w",
	} {
		if !slices.Contains(forms, want) {
			t.Errorf("%s is missing in %q", want, forms)
		}
	}
	if got := strings.Join(totp.CodeForms("1234567"), "|"); got != "1234567|1234 567|1234-567|1234\u00a0567" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{key, "otpauth://totp/a?secret=" + key + "&digits=7&period=20&algorithm=SHA512", "="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := totp.Parse(text)
		if err == nil && !s.Valid() {
			t.Errorf("%q is taken and cannot be used: %+v", text, s)
		}
		if err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", text, err)
		}
	})
}
