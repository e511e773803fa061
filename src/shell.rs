//! Words and lines that a shell reads: paths in advice, commands of jobs.

/// Quotes a text as one word of a shell.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@%,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Formats a command as a line for a shell.
pub fn line<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word.as_ref())).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_survive_a_shell() {
        for text in ["/a/b.c", "a b", "it's", "$HOME", "", "`x`", "0.77"] {
            let read = shlex::split(&quoted(text)).unwrap();
            assert_eq!(read, [text]);
        }
    }

    #[test]
    fn a_line_has_the_words_of_the_command() {
        let words = ["sbatch", "--parsable", "/a#b;c/dol$HOME/it's a file", ""];
        assert_eq!(shlex::split(&line(&words)).unwrap(), words);
    }
}
