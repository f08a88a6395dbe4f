package profile

// wireCases are texts with what of them is kept and what is left over.
var wireCases = []struct{ text, kept, left string }{
	{`{}`, `{}`, ""},
	{`{"anInt32":null,"rInt32":null,"anAll":null}`, `{}`, ""},
	{`{"an_int32":7,"anInt64":"-9223372036854775808","aUint64":18446744073709551615}`, `{"anInt32":7,"anInt64":"-9223372036854775808","aUint64":"18446744073709551615"}`, ""},
	{`{"anInt64":9007199254740993}`, `{"anInt64":"9007199254740993"}`, ""},
	{`{"anInt64":1e3,"anInt32":5.0,"aUint32":"120e-1"}`, `{"anInt64":"1000","anInt32":5,"aUint32":12}`, ""},
	{`{"rUint32":[1,2],"rBool":[],"wInt64":"0","oInt32":0}`, `{"rUint32":[1,2],"wInt64":"0","oInt32":0}`, ""},
	{`{"aBytes":"_-8","oBytes":"/+8="}`, `{"aBytes":"/+8=","oBytes":"/+8="}`, ""},
	{`{"value":null,"null":null,"oNull":null,"values":[null,1]}`, `{"value":null,"oNull":null,"values":[null,1]}`, ""},
	{`{"own \"name\"":3,"odd_Name_":4}`, `{"own \"name\"":3}`, `m.odd_Name_: unknown member: 4`},

	{`{"any":{"@type":"x/test.kinds.Small","Text":"t"}}`, `{"any":{"@type":"x/test.kinds.Small"}}`, `m.any.Text: a known name in another case: "t"`},
	{`{"new":{"a":[1, 2]},"anAll":{"x y":1}}`, `{"anAll":{}}`, "m.new: unknown member: {\"a\":[1, 2]}\n" + `m.anAll["x y"]: unknown member: 1`},
	{`{"aColor":"COLOR_CRIMSON","oColor":"COLOR_NEW","rColor":["COLOR_RED","NO",-3]}`, `{"aColor":"COLOR_RED","rColor":["COLOR_RED","COLOR_BELOW"]}`, "m.oColor: unknown enum name: \"COLOR_NEW\"\n" + `m.rColor[1]: unknown enum name: "NO"`},
	{`{"anInt32":2147483648,"aUint32":-1,"aSint32":1.5,"aFixed64":"18446744073709551616"}`, `{}`, "m.anInt32: not a whole number of this type: 2147483648\nm.aUint32: not a whole number of this type: -1\nm.aSint32: not a whole number of this type: 1.5\n" + `m.aFixed64: not a whole number of this type: "18446744073709551616"`},
	{`{"anInt64":1e99999999999,"aUint64":1e999999999}`, `{}`, "m.anInt64: not a whole number of this type: 1e99999999999\nm.aUint64: not a whole number of this type: 1e999999999"},
	{`{"aDouble":1e999,"aFloat":"1e39","oDouble":"NaN","rDouble":[-0.0,"x"]}`, `{"oDouble":"NaN","rDouble":[-0]}`, "m.aDouble: not a number of this type: 1e999\nm.aFloat: not a number of this type: \"1e39\"\n" + `m.rDouble[1]: not a number of this type: "x"`},
	{`{"aDouble":9007199254740993.000001,"aFloat":16777217}`, `{"aDouble":9007199254740994,"aFloat":16777216}`, "m.aDouble: number rounded: 9007199254740993.000001"},
	{`{"aString":7,"aBool":"true","aBytes":"a b","anAll":[],"rInt32":3,"mString":[1]}`, `{}`, "m.aString: not a text: 7\nm.aBool: wrong type: \"true\"\nm.aBytes: not base64: \"a b\"\nm.anAll: not an object: []\nm.rInt32: not an array: 3\nm.mString: not an object: [1]"},
	{`{"aString":"a\ud800b"}`, "{\"aString\":\"a\uFFFDb\"}", `m.aString: text is not Unicode: "a\ud800b"`},
	{`{"anInt32":1,"an_int32":2,"anInt32":3}`, `{"anInt32":1}`, "m.an_int32: a second value: 2\nm.anInt32: a second value: 3"},
	{`{"cBool":false,"cString":"x"}`, `{"cBool":false}`, `m.cString: a second value: "x"`},
	{`{"mString":{"a":"1","a":"2","b":null,"\u0061":"3"}}`, `{"mString":{"a":"1"}}`, "m.mString.a: a second value: \"2\"\nm.mString.b: null in a map: null\n" + `m.mString.a: a second value: "3"`},
	{`{"mDouble":{"1":2,"-1":3,"+1":4,"x":5},"mColor":{"true":"COLOR_RED","yes":0}}`, `{"mDouble":{"1":2},"mColor":{"true":"COLOR_RED"}}`, "m.mDouble.-1: not a key of this map: 3\nm.mDouble[\"+1\"]: not a key of this map: 4\nm.mDouble.x: not a key of this map: 5\nm.mColor.yes: not a key of this map: 0"},
	{`{"rAll":[null,{"anInt32":1},2]}`, `{"rAll":[{"anInt32":1}]}`, "m.rAll[0]: null in an array: null\nm.rAll[2]: not an object: 2"},
	{`{"time":"2026-02-30T00:00:00Z","duration":"1.s","mask":"a_b","times":["0001-01-01T00:00:00Z","1970-01-01T01:00:00.0000000001Z"]}`, `{"times":["0001-01-01T00:00:00Z"]}`, "m.time: not a timestamp: \"2026-02-30T00:00:00Z\"\nm.duration: not a duration: \"1.s\"\nm.mask: not a fieldmask: \"a_b\"\n" + `m.times[1]: not a timestamp: "1970-01-01T01:00:00.0000000001Z"`},
	{`{"any":{"@type":"x/test.kinds.Small","text":"t","more":1}}`, `{"any":{"@type":"x/test.kinds.Small","text":"t"}}`, "m.any.more: unknown member: 1"},
	{`{"any":{"text":"t","@type":"x/test.kinds.Small"},"anys":[{},{"@type":"x/google.protobuf.Duration","value":"1.5s"}]}`, `{"any":{"@type":"x/test.kinds.Small","text":"t"},"anys":[{},{"@type":"x/google.protobuf.Duration","value":"1.500s"}]}`, ""},
	{`{"any":{"@type":"x/no.Such","value":"AQI="}}`, `{"any":{"@type":"x/no.Such","value":"AQI="}}`, ""},
	{`{"any":{"@type":"x/no.Such","text":"AQI="},"anys":[{"text":1}]}`, `{}`, "m.any: content of an unknown type: {\"@type\":\"x/no.Such\",\"text\":\"AQI=\"}\n" + `m.anys[0]: no type URL: {"text":1}`},
}
