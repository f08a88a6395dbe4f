package contract

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// maxDigits is how many digits a whole number may have to be looked at as it is; the schema compares with one digit.
const maxDigits = 24

// number is a number for the schema's keywords, which ask for the sign, whether it is whole, and how it compares with
// small whole numbers. A short one is itself; one that would take long to work out (1e1000000, a million digits) is another
// with the same answers.
func number(text string) json.Number {
	if len(text) <= maxDigits && !strings.ContainsAny(text, "eE") {
		return json.Number(text)
	}
	rest, negative := strings.CutPrefix(text, "-")
	sign := ""
	if negative {
		sign = "-"
	}
	mantissa, exponent := rest, 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		mantissa, exponent = rest[:at], power(rest[at+1:])
	}
	before, behind, _ := strings.Cut(mantissa, ".")
	digits := before + behind
	kept := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(kept) - len(behind)
	kept = strings.TrimLeft(kept, "0")
	switch {
	case kept == "":
		return "0"
	case exponent < 0:
		return json.Number(sign + "0.5")
	case len(kept)+exponent > maxDigits:
		return json.Number(sign + "1" + strings.Repeat("0", maxDigits))
	}
	return json.Number(sign + kept + strings.Repeat("0", exponent))
}

// power is an exponent, or one as good when it is out of all bounds.
func power(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	switch {
	case err == nil:
		return int(n)
	case strings.HasPrefix(text, "-"):
		return math.MinInt32
	}
	return math.MaxInt32
}
