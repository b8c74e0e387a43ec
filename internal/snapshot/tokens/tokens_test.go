package tokens

import "testing"

func TestTokens(t *testing.T) {
	// Counted with the o200k vocabulary.
	for text, real := range map[string]int{
		"The river crosses a wide plain before it reaches the old harbour.\n": 13,
		` uid=a15 textbox "Name" value="Bob" required focused` + "\n":         14,
		`"Row 12" | a51 "Open 12" /12 | a52 "Buy 12" | a53` + "\n":            27,
		"https://www.example.com/shop/products/blue-shirt-123?ref=home":       16,
	} {
		if got := Count(text); float64(got) < 0.8*float64(real) || float64(got) > 1.35*float64(real) {
			t.Errorf("%q: %d, counted %d", text, got, real)
		}
	}
}
