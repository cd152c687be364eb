import pg from 'pg';

/**
 * Empties the ledger of the example workflows, if there is one: the sandbox begins anew, and the charges that the
 * ledger holds are gone.
 *
 * @param {string} url of the database
 */
export async function emptyLedger(url) {
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		await client.query(`do $$ begin
			if to_regclass('payment_ledger_checks') is not null then
				truncate payment_ledger, payment_ledger_checks;
			end if;
			if to_regclass('payment_ledger_reconciliations') is not null then
				truncate payment_ledger_reconciliations;
			end if;
		end $$`);
	} finally {
		await client.end();
	}
}
