//! `cento serve`: pages and an HTTP API.

use std::fmt::Write as _;
use std::io::Read as _;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use cento::index::registry::{Folder, is_open_to_others};
use cento_ingest::{Options, not_a_size, parse_size};
use cento_jobs::mail::StoreOptions;
use cento_report::counted;
use cento_server::{
    Account, Accounts, Backups, Config, Logging, Openness, Role, Server, Sets, SignIn, Writing,
};
use serde_json::json;

use crate::args::{
    General, ServeArgs, ServeOptions, ServeVerb, UserAddArgs, UserListArgs, UserNameArgs,
    UserPasswordArgs, UserRole, UserTokenArgs, UserVerb,
};
use crate::config::{Settings, Typed, settle};
use crate::publish::browser;
use crate::run::{use_threads, watched};
use crate::{Outcome, output};

pub(crate) fn run(args: ServeArgs, general: &General) -> Result<Outcome> {
    match args.verb {
        None => serve(&args.options, general)?,
        Some(ServeVerb::User(user)) => match user.verb {
            UserVerb::Add(args) => add(args)?,
            UserVerb::List(args) => list(&args)?,
            UserVerb::Remove(args) => remove(&args)?,
            UserVerb::Password(args) => password(&args)?,
            UserVerb::Token(args) => token(&args)?,
        },
    }
    Ok(Outcome::Done)
}

fn serve(options: &ServeOptions, general: &General) -> Result<()> {
    let open = options.open;
    let mut typed = Typed {
        which: options.which.clone(),
        ..Typed::default()
    };
    if let Some(registry) = &options.replica_of {
        typed.which.registry = Some(registry.clone());
    }
    typed.reading.key_file.clone_from(&options.key_file);
    let settings = settle(typed, general)?;
    use_threads(&settings)?;
    let config = config(options, &settings)?;
    let has_registry = config.registry.is_some();
    let data = &options.data.data;
    let was_open = is_open_to_others(data);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        let page = server.page();
        if was_open && !settings.quiet {
            output::message(&format!(
                "warning: {} with accounts and uploads was open to other people on this machine; it \
                 is closed now",
                data.display()
            ));
        }
        output::message(&format!("cento listens on {}", server.address()));
        if !has_registry {
            output::message(&format!(
                "there is no registry at {}, so only pairwise tests are possible; {} makes one",
                settings.registry.registry.display(),
                if server.has_accounts() {
                    "`cento registry init`"
                } else {
                    "the page behind the address below, or `cento registry init`,"
                }
            ));
        }
        if server.has_accounts() {
            output::message("people log in with the accounts of `cento serve user`");
        } else {
            output::message("open this address in the browser; it works once:");
        }
        // The one thing that a program may want to read.
        output::result(&format!("{page}\n"))?;
        if open {
            browser::open_address(&page);
        }
        server.run(stopped()).await?;
        Ok(())
    })
}

/// Until somebody presses Ctrl-C or the system wants us to end.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}

fn config(options: &ServeOptions, settings: &Settings) -> Result<Config> {
    let mut config = Config::new(options.listen, options.data.data.clone());
    if let Some(registry) = &options.replica_of {
        if !Folder::new(registry).exists() {
            bail!(
                "--replica-of: there is no registry at {}; name the folder of the one to read",
                registry.display()
            );
        }
        config.writing = Writing::Elsewhere;
    }
    if Folder::new(&settings.registry.registry).exists() {
        // Said before anybody relies on it: a wrong key.
        let place = watched(settings.quiet, |watch| {
            let place = settings.registry.place_to_read(watch)?;
            place.snapshot()?;
            Ok(place)
        })?;
        config.registry = Some(cento_server::Place {
            path: place.path,
            key: place.key,
        });
    } else {
        config.setup = Some(settings.registry.clone());
    }
    config.mail = options.mail_store.as_ref().map(|store| StoreOptions {
        store: store.clone(),
        ..StoreOptions::default()
    });
    // The rest is for everything else.
    config.memory = cento_jobs::free_memory().unwrap_or(0) / 2;
    config.names.clone_from(&options.name);
    config.https = options.https;
    config.proxies.clone_from(&options.trusted_proxy);
    config.sign_in = options.sign_in_header.as_ref().map(|header| SignIn {
        header: header.clone(),
        new: options.sign_in_new.map(role),
    });
    if options.allow_anyone_on_the_network {
        config.openness = Openness::Anyone;
    }
    config.keep = time(&options.keep).context("--keep")?;
    let care = &options.care;
    if let Some(every) = &care.check_every {
        config.check_every = Some(time(every).context("--check-every")?);
    }
    if let (Some(every), Some(to)) = (&care.backup_every, &care.backup_to) {
        config.backups = Some(Backups {
            every: time(every).context("--backup-every")?,
            to: to.clone(),
        });
    }
    let limits = &options.limits;
    let size = |text: &str, flag: &str| {
        parse_size(text).with_context(|| format!("{flag}: {}", not_a_size(text)))
    };
    config.limits.upload = size(&limits.max_upload, "--max-upload")?;
    let document = size(&limits.max_document, "--max-document")?;
    config.limits.document = usize::try_from(document).context("--max-document")?;
    if limits.jobs == 0 {
        bail!("--jobs: must be at least 1");
    }
    config.limits.jobs = limits.jobs;
    config.limits.job = time(&limits.max_job_time).context("--max-job-time")?;
    config.budget.questions = limits.budget;
    config.budget.window = time(&limits.budget_window).context("--budget-window")?;
    if let Some(command) = &options.on_event {
        config.on_event = command.split_whitespace().map(str::to_owned).collect();
        if config.on_event.is_empty() {
            bail!("--on-event: name a program");
        }
    }
    config.input = uploads(&settings.input);
    if settings.quiet {
        config.logging = Logging::Faults;
    }
    Ok(config)
}

/// How uploads are read: as on the command line, but strangers get less memory and shorter texts.
fn uploads(usual: &Options) -> Options {
    let mut options = usual.clone();
    let limits = &mut options.reading.limits;
    limits.file_size = limits.file_size.min(256 << 20);
    limits.text_size = limits.text_size.min(64 << 20);
    limits.entries = limits.entries.min(20_000);
    limits.memory = limits.memory.min(1 << 30);
    options
}

/// A time such as 90m, 24h or 7d.
pub(super) fn time(text: &str) -> Result<Duration> {
    let text = text.trim();
    let problem = || format!("{text} is not a time such as 90m, 24h or 7d");
    let unit = text.chars().last().with_context(problem)?;
    let number = &text[..text.len() - unit.len_utf8()];
    let number: u64 = number.parse().with_context(problem)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => bail!(problem()),
    };
    let time = number.checked_mul(seconds).filter(|time| *time > 0);
    Ok(Duration::from_secs(time.with_context(problem)?))
}

fn add(args: UserAddArgs) -> Result<()> {
    let given = typed_password(args.password_stdin)?;
    let account = Account {
        name: args.name,
        role: role(args.role),
        sets: Sets(Some(args.sets).filter(|sets| !sets.is_empty())),
    };
    let accounts = Accounts::open(&args.data.data)?;
    let password = accounts.add(&account, given.as_deref())?;
    let name = &account.name;
    output::message(&format!("{name} may log in with the role {}", account.role));
    if given.is_none() {
        output::message("the password, which is shown only once:");
        output::result(&format!("{password}\n"))?;
    }
    Ok(())
}

fn password(args: &UserPasswordArgs) -> Result<()> {
    let given = typed_password(args.password_stdin)?;
    let accounts = Accounts::open(&args.data.data)?;
    let password = accounts.reset_password(&args.name, given.as_deref())?;
    output::message(&format!(
        "{} has a new password and is logged out",
        args.name
    ));
    if given.is_none() {
        output::message("the password, which is shown only once:");
        output::result(&format!("{password}\n"))?;
    }
    Ok(())
}

/// The password on standard input, if there is to be one.
fn typed_password(is_there: bool) -> Result<Option<String>> {
    if !is_there {
        return Ok(None);
    }
    let mut text = String::new();
    std::io::stdin().take(1000).read_to_string(&mut text)?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

fn role(given: UserRole) -> Role {
    match given {
        UserRole::Submit => Role::Submit,
        UserRole::Verify => Role::Verify,
        UserRole::Admin => Role::Admin,
    }
}

fn list(args: &UserListArgs) -> Result<()> {
    let listed = Accounts::open(&args.data.data)?.list()?;
    let mut text = String::new();
    for one in &listed {
        let account = &one.account;
        if args.json {
            let line = json!({
                "name": account.name,
                "role": account.role.to_string(),
                "sets": account.sets.0,
                "created": one.created,
                "tokens": one.tokens,
                "disabled": one.is_disabled,
            });
            let _ = writeln!(text, "{line}");
            continue;
        }
        let sets = match &account.sets.0 {
            None => "all sets".to_owned(),
            Some(sets) => sets.join(", "),
        };
        let tokens = match one.tokens.as_slice() {
            [] => String::new(),
            tokens => format!("  tokens {}", tokens.join(", ")),
        };
        let disabled = if one.is_disabled { "  disabled" } else { "" };
        let (name, role) = (&account.name, account.role);
        let _ = writeln!(text, "{name}  {role}  {sets}{tokens}{disabled}");
    }
    output::result(&text)
}

fn remove(args: &UserNameArgs) -> Result<()> {
    Accounts::open(&args.data.data)?.remove(&args.name)?;
    output::result(&format!("{} is removed\n", args.name))
}

fn token(args: &UserTokenArgs) -> Result<()> {
    let accounts = Accounts::open(&args.data.data)?;
    if args.revoke {
        let count = accounts.revoke(&args.name, &args.label)?;
        return output::result(&format!("{} taken back\n", counted(count as u64, "token")));
    }
    let token = accounts.new_token(&args.name, &args.label)?;
    output::message("the token, which is shown only once:");
    output::result(&format!("{token}\n"))
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times() {
        for (text, seconds) in [("90m", 5400), ("24h", 86_400), ("7d", 604_800), ("1s", 1)] {
            assert_eq!(time(text).unwrap().as_secs(), seconds);
        }
        for wrong in ["", "h", "24", "0h", "-1h", "1ž", "99999999999999999999d"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
