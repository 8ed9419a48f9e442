//! Values that are stored as the text that a person would type.

/// Makes serde write a type as its [`Display`](std::fmt::Display) says and read it as its
/// [`FromStr`](std::str::FromStr) does.
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_as_text;

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use crate::align::Aligner;
    use crate::measure::{Measure, SetMeasure};

    #[track_caller]
    fn check<T: Serialize + DeserializeOwned>(json: &str) {
        let value: T = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
    }

    #[test]
    fn as_people_type_them() {
        check::<Aligner>(r#""maximal:10words""#);
        check::<Measure>(r#""identity-5""#);
        check::<SetMeasure>(r#""max-containment""#);
        assert!(serde_json::from_str::<SetMeasure>(r#""cosine""#).is_err());
        assert!(serde_json::from_str::<Aligner>("1").is_err());
        #[cfg(feature = "compress")]
        check::<crate::compress::Compressor>(r#""zstd""#);
        #[cfg(feature = "registry")]
        {
            use crate::index::registry::{OnChange, Retention, Which};
            check::<Retention>(r#""spans""#);
            check::<OnChange>(r#""refuse""#);
            check::<Which>(r#"{"set":"2026"}"#);
        }
    }
}
